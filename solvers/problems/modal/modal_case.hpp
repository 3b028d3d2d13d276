#pragma once
/// A case of `modal_impact` with its tables read.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>
#include <models/modal_collision.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/problems/modal/modal_file.hpp>
#include <solvers/problems/modal/modal_impact.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// A body whose table is read.
struct ReadBody {
    ModeCells cells;
    NamedModes modes;
    std::string text;  ///< of the file, which goes into the directory of the run
    models::ModalMotion motion;
};

/// A case whose tables are read.
struct ModalCase {
    CaseHeader header;
    ModalImpact impact;
    CaseExpectations expectations;
    ReadBody body;
    std::optional<ReadBody> striker;  ///< nothing: a point mass
    std::vector<Eigen::Index> points;

    /// Errors: core::InputError with all that is wrong.
    static ModalCase read(const io::Document& document);

    const StrikingModes* striking_modes() const {
        return std::get_if<StrikingModes>(&impact.striker.kind);
    }
    modal::ModalBody striking_body() const;
    models::ModalMotion striker_motion() const;
    impact::ContactSetup contact() const { return {impact.contact.law, impact.contact.separation}; }
    const std::string& name_of(Eigen::Index point) const {
        return body.modes.points[static_cast<std::size_t>(point)];
    }
    double approach_speed(Eigen::Index point) const;  ///< [m/s]
    /// True if gravity or another constant force acts on one of the bodies.
    bool is_loaded() const;
    /// Longest motion to follow [s].
    double time_limit(const modal::ModalBody& striking) const;

    /// The number of a key of the case, or of a cell of a table: "body.modes[2].frequency_Hz". None
    /// if there is no such number.
    core::NumberKey number_at(std::string_view key);
    /// Modes and motions once more, after numbers of the case have changed: what is wrong then.
    std::vector<core::Violation> settle();
};

}  // namespace stoss::solvers
