#include <solvers/app/verify.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <solvers/app/run.hpp>
#include <solvers/case/case_header.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/file.hpp>

namespace stoss::solvers {

namespace fs = std::filesystem;

bool Verified::passed() const {
    return error.empty() && all_passed(verdicts);
}

std::vector<std::string> find_cases(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code error;
        const auto status = fs::status(path, error);
        if (!fs::exists(status)) throw core::FileError(path + ": there is no such file or folder");
        if (!fs::is_directory(status)) {
            files.push_back(path);
            continue;
        }
        const std::size_t before = files.size();
        for (const auto& entry : fs::recursive_directory_iterator(path)) {
            const auto extension = entry.path().extension();
            if (entry.is_regular_file() && (extension == ".yaml" || extension == ".yml")) {
                files.push_back(entry.path().string());
            }
        }
        if (files.size() == before)
            throw core::FileError(path + ": this folder holds no case (*.yaml)");
        std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
    }
    return files;
}

namespace {

/// The words with which a bad case is refused, files named as seen from its folder; empty if it is
/// not.
std::string refusal_of(const std::string& file) {
    std::string words;
    try {
        // By its whole name: files that the case names are looked for beside it.
        const io::Document document = read_case_file(file, {});
        given_case(document);
        return words;
    } catch (const core::InputError& error) {
        words = std::string(error.what()) + '\n';
    }
    const std::string folder = (fs::path(file).parent_path() / "").string();
    for (std::size_t at = 0; !folder.empty() && (at = words.find(folder, at)) != words.npos; ++at) {
        const bool begins_a_name = at == 0 || words[at - 1] == ' ' || words[at - 1] == '\n';
        if (begins_a_name) words.erase(at, folder.size());
    }
    return words;
}

Verified verify_refusal(const std::string& file, const std::string& expected_file) {
    Verified verified{file, file, {}, "", true};
    const std::string refusal = refusal_of(file);
    if (refusal == io::read_text(expected_file)) return verified;
    verified.error = refusal.empty()
                         ? "the case is accepted, but there is " + expected_file + " with a refusal"
                         : "not refused as in " + expected_file + ", but:\n" + refusal;
    return verified;
}

Verified verify_results(const std::string& file, int threads, bool named) {
    Verified verified{file, file, {}, ""};
    const io::Document document = read_case_file(file, {});
    if (const io::Node* title = document.root.find("title")) verified.title = title->scalar;
    if (const io::Node* not_shown = document.root.find("not_shown"))
        verified.not_shown = not_shown->scalar;
    const io::Node* const on_request = document.root.find("on_request");
    if (!named && on_request && on_request->scalar == "true") {
        given_case(document);
        verified.left = true;
        return verified;
    }
    RunReport report = solve_case(document, threads, false);
    verified.verdicts = std::move(report.verdicts);
    if (verified.verdicts.empty())
        verified.error = "the case has no expectations; give it an `expect:` list";
    if (report.outcome.ending == Ending::interrupted) verified.error = "interrupted";
    if (report.outcome.ending == Ending::numerical_failure) {
        verified.error = fmt::format("{}", fmt::join(report.outcome.warnings, "; "));
    }
    return verified;
}

}  // namespace

Verified verify(const std::string& file, int threads, bool named) {
    try {
        const std::string expected = fs::path(file).replace_extension(".expected").string();
        return fs::exists(expected) ? verify_refusal(file, expected)
                                    : verify_results(file, threads, named);
    } catch (const std::exception& error) {
        return {file, file, {}, error.what(), false};
    }
}

namespace {

/// A computed number with the digits that its tolerance makes worth reading.
std::string digits(double value, double tolerance) {
    if (tolerance == 0.0) return core::to_text(value);
    const int decimals =
        std::clamp(static_cast<int>(std::ceil(-core::log10(tolerance))) + 1, 0, 15);
    if (std::abs(value) < 10.0 * tolerance && value != 0.0) return fmt::format("{:.1e}", value);
    return fmt::format("{:.{}f}", value, decimals);
}

/// A bar would end the cell of a table.
std::string escape_bars(const std::string& text) {
    std::string escaped;
    for (const char character : text) {
        if (character == '|') escaped += '\\';
        escaped += character;
    }
    return escaped;
}

std::string difference_text(const Verdict& verdict) {
    const double difference = verdict.difference.value_or(io::no_number);
    return difference == 0.0 ? "0" : fmt::format("{:+.1e}", difference);
}

/// The largest |computed - expected| as a part of its tolerance; none: every tolerance is 0.
std::string largest_part(const std::vector<Verdict>& verdicts) {
    double largest = -1.0;
    for (const Verdict& verdict : verdicts) {
        const double tolerance = verdict.expectation.tolerance;
        if (tolerance > 0.0 && verdict.difference)
            largest = std::max(largest, std::abs(*verdict.difference) / tolerance);
    }
    return largest < 0.0 ? "-" : fmt::format("{:.2g}", largest);
}

/// What a link to a heading of the page is called: letters in lower case, blanks as dashes.
std::string anchor(const std::string& heading) {
    std::string name;
    for (const char character : heading) {
        const auto letter = static_cast<unsigned char>(character);
        if (std::isalnum(letter) != 0 || character == '-' || character == '_') {
            name += static_cast<char>(std::tolower(letter));
        } else if (character == ' ') {
            name += '-';
        }
    }
    return name;
}

std::string overview(const std::vector<Verified>& all) {
    std::string text =
        "\n## Overview\n\n"
        "One line a case. The difference is the largest one of the case, divided by its "
        "tolerance.\n"
        "\n| case | numbers | largest difference/tolerance | | what this does not show |\n"
        "|---|---|---|---|---|\n";
    for (const Verified& verified : all) {
        if (verified.refused || verified.left) continue;
        text += fmt::format(
            "| [{}](#{}) | {} | {} | {} | {} |\n", escape_bars(verified.title),
            anchor(verified.title), verified.verdicts.size(), largest_part(verified.verdicts),
            verified.passed() ? "passed" : "**failed**", escape_bars(verified.not_shown));
    }
    return text;
}

}  // namespace

std::string to_text(const Verified& verified) {
    std::string text =
        fmt::format("{}: {}{}\n", verified.passed() ? "passed" : "FAILED", verified.file,
                    verified.left                           ? " (its keys; it runs if it is named)"
                    : verified.refused && verified.passed() ? " (refused as expected)"
                                                            : "");
    if (!verified.error.empty()) text += fmt::format("    {}\n", verified.error);
    for (const Verdict& verdict : verified.verdicts) {
        const Expectation& expected = verdict.expectation;
        text += fmt::format(
            "  {} {:<56} expected {:>10}  computed {:>12}  difference {:>9}  tolerance {}\n",
            verdict.passed ? "ok  " : "FAIL", subject(verdict), core::to_text(expected.value),
            digits(verdict.computed.value_or(io::no_number), expected.tolerance),
            difference_text(verdict), core::to_text(expected.tolerance));
        if (!verdict.reason.empty()) text += fmt::format("         {}\n", verdict.reason);
    }
    return text;
}

std::string to_markdown(const std::vector<Verified>& all) {
    std::string text =
        "# Validation\n\n"
        "Expected number, computed number and their difference. The column `source` names the\n"
        "paper, the closed form or the independent code. A number whose source is this program\n"
        "shows only that the result has not changed.\n\n"
        "Written by `stoss verify cases/published --markdown docs/validation.md`; do not edit.\n";
    text += overview(all);
    for (const Verified& verified : all) {
        if (verified.refused || verified.left) continue;
        text += fmt::format("\n## {}\n\n`{}`\n\n", verified.title, verified.file);
        if (!verified.error.empty()) text += fmt::format("Not run: {}\n\n", verified.error);
        text +=
            "| quantity | expected | computed | difference | tolerance | | source |\n"
            "|---|---|---|---|---|---|---|\n";
        for (const Verdict& verdict : verified.verdicts) {
            const Expectation& expected = verdict.expectation;
            const std::string name = escape_bars(subject(verdict));
            text += fmt::format(
                "| {} | {} | {} | {} | {} | {} | {} |\n", name, core::to_text(expected.value),
                digits(verdict.computed.value_or(io::no_number), expected.tolerance),
                difference_text(verdict), core::to_text(expected.tolerance),
                verdict.passed ? "passed" : "**failed**", expected.source);
        }
        for (const Verdict& verdict : verified.verdicts) {
            if (verdict.expectation.note.empty()) continue;
            text += fmt::format("\nOn {}: {}\n", subject(verdict), verdict.expectation.note);
        }
    }
    return text;
}

}  // namespace stoss::solvers
