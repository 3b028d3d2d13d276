#include <solvers/problems/rigid/rigid_contact.hpp>

#include <array>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <models/rigid_contact.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/ranged_case.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/rigid/contact_map.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>
#include <solvers/problems/rigid/rigid_solutions.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace stoss::solvers {

namespace {

/// What decides that bodies approach: the key, and what to do about it.
struct ApproachKey {
    const char* key;
    const char* suggestion;
};

ApproachKey approach_key(const models::RigidContact& contact) {
    if (std::holds_alternative<models::GivenOperator>(contact.given))
        return {"b.n", "b is minus the relative velocity before the impact, b.n > 0 is closing"};
    return {"frame.normal",
            "the normal points from the second body to the first: reverse it, or correct the "
            "velocities"};
}

ApproachKey approach_key(const models::SixMassBody& /*body*/) {
    return {"normal",
            "the normal points from the plane to the body: reverse it, or correct the "
            "velocity"};
}

/// Warns of bodies that do not approach each other. Maximum dissipation has an impulse then only if
/// they neither approach nor part, and friction is large.
template <class Contact>
void warn_of_parting(Outcome& outcome, const Contact& contact) {
    const rigid::ContactProblem problem = contact.problem();
    const double closing_speed = problem.b.n;
    if (closing_speed > 0.0) return;
    const auto [key, suggestion] = approach_key(contact);
    if (rigid::maximum_dissipation(problem).impulse.n > 0.0) {
        outcome.warnings.push_back(
            fmt::format("{}: the bodies do not approach each other, their closing speed is 0 m/s: "
                        "friction alone causes the impulse, an impact without approach",
                        key));
        return;
    }
    outcome.warnings.push_back(fmt::format(
        "{}: the bodies do not approach each other, their closing speed is {:.4g} m/s and must be "
        "> 0 m/s for an impact: {}",
        key, closing_speed, suggestion));
}

/// Warns of masses that the plane would have met before the one that touches it.
void warn_of_masses_beyond(Outcome& outcome, const models::SixMassBody& body) {
    const std::array<double, 2> depths = body.depths();
    for (const auto& [axis, depth] : {std::pair{"y", depths[0]}, std::pair{"z", depths[1]}}) {
        if (!(depth > 0.0)) continue;
        outcome.warnings.push_back(fmt::format(
            "normal: a mass on the {0} axis lies {1:.4g} m beyond the plane, which touches a mass "
            "on the x axis: this problem knows the contact of the latter only; name the axes so "
            "that the mass that touches is on the x axis",
            axis, depth));
    }
}
void warn_of_masses_beyond(Outcome& /*outcome*/, const models::RigidContact& /*contact*/) {}

/// Keys of several contacts in one case.
template <class Contact>
struct ContactRange {
    static constexpr std::string_view name = Contact::name;
    static constexpr std::string_view meaning = Contact::meaning;

    std::vector<KeyRange> over;
    core::OrNone<Sweep> sweep;

    static constexpr auto fields() {
        return std::tuple{
            core::field("over", &ContactRange::over,
                        "a key that runs through a range; at most one"),
            core::field("sweep", &ContactRange::sweep, "a key that takes several values in turn")};
    }
};

/// Both problems differ in how the contact is given, and in nothing else.
template <class Contact>
struct ContactCase {
    using Range = ContactRange<Contact>;
    using Parts = std::tuple<CaseHeader, Contact, Range, CaseExpectations>;

    Parts parts;
    RangedCase<Contact> contacts;

    static Parts read_parts(const io::Document& document) {
        return io::read<CaseHeader, Contact, Range, CaseExpectations>(document);
    }
    static ContactCase read(const io::Document& document) {
        ContactCase all{read_parts(document), {}};
        const auto& [header, contact, range, expectations] = all.parts;
        refuse(document, check_ranges(contact, range.over, range.sweep, Contact::name, "mu"));
        all.contacts = read_ranged(
            document, contact, range.over, range.sweep,
            [](const io::Document& changed) { return std::get<Contact>(read_parts(changed)); });
        return all;
    }
    static io::Choice describe() { return io::describe_choice<Range, Contact>(); }
    static io::Node resolve(const ContactCase& all) {
        const auto& [header, contact, range, expectations] = all.parts;
        return io::to_node(header, contact, range, expectations);
    }
    static Outcome solve(const ContactCase& all, const RunOptions& options) {
        const auto& [header, contact, range, expectations] = all.parts;
        Outcome outcome;
        outcome.header = header;
        outcome.expect = expectations.expect;
        if (!all.contacts.is_single()) {
            add_contact_map(outcome, all.contacts, options);
            return outcome;
        }
        add_solutions(outcome, contact.problem(), contact.restitution, contact.is_orthonormal());
        warn_of_parting(outcome, contact);
        warn_of_masses_beyond(outcome, contact);
        return outcome;
    }
    static constexpr Problem problem{
        .name = Contact::name,
        .meaning = Contact::meaning,
        .describe = describe,
        .read = typed_case<read, resolve, solve>,
        .report = {postproc::rigid_contact_figures, postproc::rigid_contact_report}};
};

}  // namespace

const Problem rigid_contact_problem = ContactCase<models::RigidContact>::problem;
const Problem six_mass_body_problem = ContactCase<models::SixMassBody>::problem;

}  // namespace stoss::solvers
