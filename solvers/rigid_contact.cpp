#include <solvers/rigid_contact.hpp>

#include <models/rigid_contact.hpp>
#include <solvers/beam_case.hpp>
#include <solvers/case_header.hpp>
#include <solvers/rigid_solutions.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

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
    static void check(const io::Document& document) { read(document); }
    static io::Node resolve(const io::Document& document) {
        const auto [header, contact, expectations] = read(document);
        return io::to_node(header, contact, expectations);
    }
    static Outcome solve(const io::Document& document, const RunOptions& /*options*/) {
        const auto [header, contact, expectations] = read(document);
        Outcome outcome;
        outcome.header = header;
        outcome.expect = expectations.expect;
        add_solutions(outcome, contact.problem(), contact.restitution, contact.is_orthonormal());
        return outcome;
    }
    static constexpr Problem problem{Contact::name, Contact::meaning, describe,
                                     check,         resolve,          solve};
};

}  // namespace

const Problem rigid_contact_problem = ContactCase<models::RigidContact>::problem;
const Problem six_mass_body_problem = ContactCase<models::SixMassBody>::problem;

}  // namespace stoss::solvers
