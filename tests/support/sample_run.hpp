#pragma once
/// Run directories made up for the tests of postproc: written with the library's own writers.

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <stoss/io/csv.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/json.hpp>

namespace stoss::tests {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A directory that is new for each test and gone after it.
class SampleRun {
  public:
    SampleRun() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        path_ = std::filesystem::path(testing::TempDir()) /
                (std::string("stoss_") + test->test_suite_name() + "_" + test->name());
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
        write("case.yaml",
              "problem: beam_impact\nbeam:\n  length: 0.508 m\nstriker: {mass: inf kg}\n");
        write("provenance.json", io::to_json(io::Value::object().set("version", "0.1.0")));
    }
    ~SampleRun() { std::filesystem::remove_all(path_); }
    SampleRun(const SampleRun&) = delete;
    SampleRun& operator=(const SampleRun&) = delete;

    std::string path() const { return path_.string(); }
    std::string file(std::string_view name) const { return (path_ / name).string(); }
    std::string read(std::string_view name) const { return io::read_text(file(name)); }
    void write(std::string_view name, std::string_view text) const {
        io::write_text(file(name), text);
    }
    void remove(std::string_view name) const { std::filesystem::remove(file(name)); }
    bool has(std::string_view name) const { return std::filesystem::exists(file(name)); }

  private:
    std::filesystem::path path_;
};

/// The columns of a map in which every number follows from xi by a smooth formula.
struct MapSample {
    std::size_t locations = 50;
    std::string sweep;                ///< empty: nothing is swept
    std::vector<std::string> swept;   ///< its values
    std::vector<std::size_t> failed;  ///< rows without a result
    double constant = nan;            ///< if given, every result is this number
    double kinetic_shift = 0.0;       ///< e_P - e_N

    io::Table table() const {
        static const std::vector<std::string> names = {"xi",
                                                       "x_m",
                                                       "approach_speed_m_per_s",
                                                       "cor_kinematic",
                                                       "cor_kinetic",
                                                       "cor_energetic",
                                                       "sub_impacts",
                                                       "compression_end_s",
                                                       "separation_s",
                                                       "impulse_N_s",
                                                       "peak_force_N",
                                                       "energy_rigid",
                                                       "energy_vibration",
                                                       "energy_mode_1",
                                                       "energy_mode_2",
                                                       "energy_mode_3",
                                                       "energy_mode_4",
                                                       "energy_structural_loss",
                                                       "energy_contact_loss",
                                                       "energy_residual",
                                                       "tau_compression_end",
                                                       "tau_separation",
                                                       "impulse_nondimensional",
                                                       "energy_load_work"};
        const std::vector<std::string> branches =
            swept.empty() ? std::vector<std::string>{""} : swept;
        const std::size_t rows = locations * branches.size();
        io::Table table;
        for (std::size_t c = 0; c < names.size(); ++c) {
            std::vector<double> values;
            for (std::size_t row = 0; row < rows; ++row) values.push_back(value(c, row));
            table.add(names[c], std::move(values));
        }
        std::vector<std::string> statuses(rows, "separated");
        for (const std::size_t row : failed) statuses[row] = "not_separated";
        table.add("status", std::move(statuses));
        if (!sweep.empty()) {
            std::vector<std::string> labels;
            for (std::size_t row = 0; row < rows; ++row)
                labels.push_back(branches[row / locations]);
            table.add(sweep, std::move(labels));
        }
        return table;
    }

    void write(const SampleRun& run, const std::string& title = "A map") const {
        run.write("summary.json", io::to_json(io::Value::object()
                                                  .set("problem", "beam_impact_map")
                                                  .set("title", title)
                                                  .set("collisions", locations)));
        run.write("map.csv", io::to_csv(table()));
    }

  private:
    double xi(std::size_t row) const {
        const std::size_t i = row % locations;
        return locations == 1
                   ? 0.68
                   : 0.2 + 0.8 * static_cast<double>(i) / static_cast<double>(locations - 1);
    }
    double value(std::size_t column, std::size_t row) const {
        const double x = xi(row);
        if (column < 2) return column == 0 ? x : 0.508 * x;
        for (const std::size_t each : failed) {
            if (each == row) return nan;
        }
        if (!std::isnan(constant)) return constant;
        const double e = 0.7 + 0.2 * std::sin(9.0 * x);
        switch (column) {
            case 3:
            case 5:
                return e;
            case 4:
                return e + kinetic_shift;
            case 6:
                return 1.0 + std::floor(4.0 * x);
            case 11:
                return 0.5 * e;
            case 12:
                return 1.0 - 0.5 * e;
            case 17:
            case 18:
                return 0.0;
            case 19:
                return 1e-13;
            default:
                return e / static_cast<double>(column);
        }
    }
};

/// One collision: a half sine of force a sub-impact, with free motion between.
struct CollisionSample {
    std::size_t samples = 400;
    std::size_t sub_impacts = 3;

    void write(const SampleRun& run, const std::string& title = "A collision") const {
        run.write("summary.json", io::to_json(io::Value::object()
                                                  .set("problem", "beam_impact")
                                                  .set("title", title)
                                                  .set("status", "separated")
                                                  .set("cor_kinematic", 0.6374)
                                                  .set("sub_impacts", sub_impacts)
                                                  .set("peak_force_N", 1234.5)
                                                  .set("energy_rigid", 0.4)
                                                  .set("energy_vibration", 0.6)
                                                  .set("energy_residual", 2e-12)
                                                  .set("compression_end_s", 0.054 * unit)
                                                  .set("separation_s", end * unit)
                                                  .set("tau_compression_end", 0.054)
                                                  .set("tau_separation", end)));
        run.write("history.csv", io::to_csv(history()));
        run.write("sub_impacts.csv", io::to_csv(impacts()));
    }

  private:
    static constexpr double end = 0.0981;
    static constexpr double unit = 0.01619;  // T [s]

    static std::vector<double> in_seconds(std::vector<double> tau) {
        for (double& value : tau) value *= unit;
        return tau;
    }

    double phase(double tau) const {  // in half periods of contact and free motion
        return tau / end * static_cast<double>(2 * sub_impacts - 1);
    }

    io::Table history() const {
        static const std::vector<std::string> names = {"time_s",
                                                       "tau",
                                                       "overlap_m",
                                                       "displacement_m",
                                                       "displacement_nondimensional",
                                                       "approach_velocity_m_per_s",
                                                       "approach_velocity_nondimensional",
                                                       "force_N",
                                                       "force_nondimensional",
                                                       "energy_rigid",
                                                       "energy_vibration",
                                                       "energy_mode_1",
                                                       "energy_mode_2",
                                                       "energy_mode_3",
                                                       "energy_mode_4",
                                                       "energy_contact",
                                                       "energy_structural_loss",
                                                       "energy_contact_loss",
                                                       "energy_load_work"};
        io::Table table;
        for (std::size_t c = 0; c < names.size(); ++c) {
            std::vector<double> values;
            for (std::size_t i = 0; i < samples; ++i) {
                const double tau = 1.1 * end * static_cast<double>(i) /
                                   static_cast<double>(samples > 1 ? samples - 1 : 1);
                const double wave = std::sin(std::numbers::pi * phase(tau));
                const double force = tau <= end && wave > 0.0 ? 1500.0 * wave : 0.0;
                switch (c) {
                    case 0:
                        values.push_back(unit * tau);
                        break;
                    case 1:
                        values.push_back(tau);
                        break;
                    case 2:
                        values.push_back(4e-5 * wave);
                        break;
                    case 6:
                        values.push_back(0.0624 - tau);
                        break;
                    case 7:
                        values.push_back(force);
                        break;
                    case 9:
                        values.push_back(1.0 - 0.5 * tau / end);
                        break;
                    case 10:
                        values.push_back(0.5 * tau / end);
                        break;
                    case 15:
                        values.push_back(1e-4 * force);
                        break;
                    default:
                        values.push_back(0.0);
                }
            }
            table.add(names[c], std::move(values));
        }
        return table;
    }

    io::Table impacts() const {
        std::vector<std::int64_t> number;
        std::vector<double> start, stop, zero;
        for (std::size_t i = 0; i < sub_impacts; ++i) {
            number.push_back(static_cast<std::int64_t>(i) + 1);
            const double width = end / static_cast<double>(2 * sub_impacts - 1);
            start.push_back(2.0 * static_cast<double>(i) * width);
            stop.push_back(start.back() + width);
            zero.push_back(0.0);
        }
        io::Table table;
        table.add("sub_impact", number);
        table.add("start_s", in_seconds(start));
        table.add("end_s", in_seconds(stop));
        table.add("tau_start", start);
        table.add("tau_end", stop);
        table.add("impulse_N_s", zero);
        table.add("peak_force_N", zero);
        return table;
    }
};

/// "" if `text` is well-formed XML as far as tags, attributes and entities go; else what is wrong.
inline std::string xml_fault(std::string_view text) {
    std::vector<std::string> open;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] == '&') {
            const std::size_t end = text.find(';', at);
            if (end == text.npos || end - at > 8) return "a bare &";
            at = end + 1;
        } else if (text[at] != '<') {
            ++at;
        } else {
            const std::size_t end = text.find('>', at);
            if (end == text.npos) return "a tag that does not end";
            const std::string_view tag = text.substr(at + 1, end - at - 1);
            at = end + 1;
            if (tag.starts_with('?')) continue;
            if (tag.find('<') != tag.npos) return "a bare <";
            const bool closes = tag.starts_with('/');
            const std::string_view rest = closes ? tag.substr(1) : tag;
            const std::string name(rest.substr(0, rest.find_first_of(" \t\n/")));
            if (closes && (open.empty() || open.back() != name))
                return "unexpected </" + name + ">";
            if (closes) {
                open.pop_back();
            } else if (!tag.ends_with('/')) {
                open.push_back(name);
            }
        }
    }
    return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

}  // namespace stoss::tests
