#include <solvers/app/contacts.hpp>

#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/file.hpp>

namespace stoss::solvers {

namespace {

namespace fs = std::filesystem;

/// Errors: core::InputError with all that is wrong with the arguments themselves.
void check(const ContactsRequest& request, const std::string& output) {
    std::vector<core::Diagnostic> wrong;
    const auto add = [&](core::Violation violation) {
        wrong.push_back({"stoss contacts", 0, 0, std::move(violation)});
    };
    if (!fs::exists(request.table)) add({"", request.table, "there is no such file", ""});
    std::error_code not_there;
    if (fs::equivalent(request.table, output, not_there))
        add({"--output", output, "is the table of contacts itself", "write to another file"});
    if (!request.hypothesis.empty() && request.cor.empty())
        add({"--restitution", "", "is missing",
             "`--hypothesis` needs a coefficient of restitution, as in `--restitution 0.5`"});
    if (!wrong.empty()) throw core::InputError(std::move(wrong));
}

io::Document case_of(const ContactsRequest& request) {
    io::Document document;
    document.file = "stoss contacts";
    document.root.kind = io::Node::Kind::mapping;
    document.root.set("problem", io::Node::text("rigid_contacts"));
    document.root.set("contacts", io::Node::text(fs::absolute(request.table).string()));
    if (!request.cor.empty())
        document.root.set("restitution.coefficient", io::Node::text(request.cor));
    if (!request.hypothesis.empty())
        document.root.set("restitution.hypothesis", io::Node::text(request.hypothesis));
    return document;
}

}  // namespace

std::string contacts(const ContactsRequest& request) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const std::string output = request.output.empty()
                                   ? fs::path(request.table).stem().string() + "_solved.csv"
                                   : request.output;
    check(request, output);
    const io::Document document = case_of(request);
    const auto given = problem_of(document).read(document);
    const Outcome outcome = given->solve({request.threads, request.quiet, core::interrupted});
    if (outcome.ending == Ending::interrupted) throw core::Stopped();
    io::write_text(output, io::to_csv(outcome.tables.front().second));
    if (outcome.ending == Ending::numerical_failure)
        throw core::NumericalError(
            fmt::format("{}: not every contact could be solved; the numbers of the others are in "
                        "{}, where those of the unsolved ones are nan",
                        request.table, output));
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    std::string words;
    for (const std::string& warning : outcome.warnings)
        words += fmt::format("warning: {}\n", warning);
    return words + fmt::format("{} contacts in {:.2g} s ({:.2g} contacts/s): {}\n",
                               outcome.item_count, elapsed.count(),
                               static_cast<double>(outcome.item_count) / elapsed.count(), output);
}

}  // namespace stoss::solvers
