#include <stoss/core/error.hpp>

#include <fmt/format.h>
#include <stoss/core/shortened.hpp>

namespace stoss::core {

namespace {

constexpr std::size_t longest_key = 200;  // no case has one as long

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
    const auto& [whole_key, value, rule, suggestion] = diagnostic.violation;
    const std::string key = shortened(whole_key, longest_key);
    std::string text = diagnostic.file;
    if (diagnostic.line > 0) text += fmt::format(":{}:{}", diagnostic.line, diagnostic.column);
    text += text.empty() ? "error" : ": error";
    for (const std::string* part : {&key, &value, &rule}) {
        if (!part->empty()) text += ": " + *part;
    }
    if (!suggestion.empty()) text += "\n    hint: " + suggestion;
    return text;
}

namespace {

std::string joined(const std::vector<Diagnostic>& diagnostics) {
    std::string text;
    for (const Diagnostic& diagnostic : diagnostics) {
        if (!text.empty()) text += '\n';
        text += to_string(diagnostic);
    }
    return text;
}

}  // namespace

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined(diagnostics)), diagnostics_(std::move(diagnostics)) {}

std::vector<Violation> violations_of(const InputError& error) {
    std::vector<Violation> violations;
    for (const Diagnostic& each : error.diagnostics()) violations.push_back(each.violation);
    return violations;
}

}  // namespace stoss::core
