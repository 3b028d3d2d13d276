#include <solvers/problems/rigid/rigid_contact.hpp>

#include <variant>

#include <fmt/format.h>
#include <models/rigid_contact.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>
#include <solvers/problems/rigid/rigid_solutions.hpp>
#include <stoss/io/bind.hpp>

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

/// Warns of bodies that part already: then there is no impact, and all impulses are 0.
template <class Contact>
void warn_of_parting(Outcome& outcome, const Contact& contact) {
    const double closing_speed = contact.problem().b.n;
    if (closing_speed > 0.0) return;
    const auto [key, suggestion] = approach_key(contact);
    outcome.warnings.push_back(fmt::format(
        "{}: the bodies do not approach each other, their closing speed is {:.4g} m/s and must be "
        "> 0 m/s for an impact: {}",
        key, closing_speed, suggestion));
}

/// Both problems differ in how the contact is given, and in nothing else.
template <class Contact>
struct ContactCase {
    using Parts = std::tuple<CaseHeader, Contact, CaseExpectations>;

    static Parts read(const io::Document& document) {
        Parts parts = io::read<CaseHeader, Contact, CaseExpectations>(document);
        refuse(document, models::check(std::get<Contact>(parts)));
        return parts;
    }
    static io::Choice describe() { return io::describe_choice<Contact>(); }
    static io::Node resolve(const Parts& given) {
        const auto& [header, contact, expectations] = given;
        return io::to_node(header, contact, expectations);
    }
    static Outcome solve(const Parts& given, const RunOptions& /*options*/) {
        const auto& [header, contact, expectations] = given;
        Outcome outcome;
        outcome.header = header;
        outcome.expect = expectations.expect;
        add_solutions(outcome, contact.problem(), contact.restitution, contact.is_orthonormal());
        warn_of_parting(outcome, contact);
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
