/// No function is longer than a screen, no class larger than its reader can hold. CONTRIBUTING.md
/// has the rule; this test measures every function and class of lib, models, solvers and postproc.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <source_files.hpp>

namespace {

// Lines from the first of the declaration to the closing brace. Lines of a class are those of its
// definition and of its member functions outside of it, in the same folder. Methods are
// member functions that are declared in the class, public or not, but for constructors, the
// destructor and operators.
constexpr std::size_t longest_function = 60, longest_class = 300, most_methods = 25;

/// What may be larger, with the reason.
const std::map<std::string, std::string>& exceptions() {
    static const std::map<std::string, std::string> table{
        {"ContactFix", "LAMMPS asks its class `Fix` for these functions by name"},
    };
    return table;
}

struct Function {
    std::string name;    // with its class: A::f
    std::string folder;  // of its file
    std::size_t lines = 0;
    bool is_inside = false;  // its class
};

struct Class {
    std::string name;
    std::string folder;
    std::size_t lines = 0;
    std::size_t methods = 0;
};

struct Sizes {
    std::vector<Function> functions;
    std::vector<Class> classes;
};

/// End of the comment, literal or preprocessor line that begins at `at`; `at` itself if none does.
std::size_t end_of_no_code(const std::string& text, std::size_t at) {
    const auto behind = [&](const std::string& mark, std::size_t from) {
        const std::size_t found = text.find(mark, from);
        return found == std::string::npos ? text.size() : found + mark.size();
    };
    const auto is_word = [&](std::size_t i) {
        return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 ||
                                   text[i] == '_' || text[i] == '.' || text[i] == '\'');
    };
    if (text.compare(at, 2, "//") == 0) return std::min(text.find('\n', at), text.size());
    if (text.compare(at, 2, "/*") == 0) return behind("*/", at + 2);
    if (text.compare(at, 2, "R\"") == 0) {
        const std::size_t open = text.find('(', at);
        return behind(")" + text.substr(at + 2, open - at - 2) + "\"", open);
    }
    if (text[at] == '"' || text[at] == '\'') {
        std::size_t end = at + 1;
        while (end < text.size() && text[end] != text[at]) end += text[end] == '\\' ? 2 : 1;
        return end + 1;
    }
    if (std::isdigit(static_cast<unsigned char>(text[at])) != 0 && (at == 0 || !is_word(at - 1))) {
        std::size_t end = at;  // a number may hold '
        while (is_word(end)) ++end;
        return end;
    }
    if (text[at] != '#') return at;
    std::size_t end = at;
    while (end < text.size() && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
    return end;
}

/// The text without comments, literals and preprocessor lines; line breaks stay.
std::string code_of(const std::string& text) {
    std::string code;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(end_of_no_code(text, at), text.size());
        if (end == at) {
            code += text[at++];
            continue;
        }
        for (; at < end; ++at) {
            if (text[at] == '\n') code += '\n';
        }
        code += ' ';
    }
    return code;
}

/// The text without what is in pairs of `open` and `close`.
std::string without(const std::string& text, char open, char close) {
    std::string result;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_arrow = text[i] == '>' && i > 0 && text[i - 1] == '-';
        if (text[i] == close && depth > 0 && !is_arrow) --depth;
        if (depth == 0) result += text[i];
        if (text[i] == open) ++depth;
    }
    return result;
}

enum class Kind { scope, type, function, other };

struct Statement {
    Kind kind = Kind::other;
    std::string name = {};
};

/// The kind of a statement of a namespace or class, by the text before its brace or semicolon.
Statement meaning_of(const std::string& statement) {
    static const std::regex scope(R"(^\s*(inline\s+)?(namespace\b|extern\s*$))");
    static const std::regex type(R"(^\s*(?:class|struct|union)\s+(?:alignas\(\)\s*)?([\w:]+))");
    static const std::regex function(R"(((?:~?\w+\s*::\s*)*(?:~?\w+|operator[^(]*))\s*\(\))");
    static const std::regex list(R"(\)\s*(?:noexcept\s*)?:[^:][^]*[,:]\s*\w+\s*$)");
    // Parameters of a template, of a function and of the text before.
    static const std::regex prefix(
        R"(^\s*(?:(?:template\s*<>|requires\s+\w+<>|public:|private:|protected:)\s*)+)");
    std::string words = without(without(statement, '(', ')'), '<', '>');
    words = std::regex_replace(words, prefix, "");
    std::smatch match;
    if (std::regex_search(words, scope)) return {Kind::scope};
    if (std::regex_search(words, match, type) && words.find("()") == std::string::npos)
        return {Kind::type, match[1]};
    if (!std::regex_search(words, match, function)) return {};
    const std::string before = match.prefix();
    if (before.find('=') != std::string::npos || std::regex_search(words, list)) return {};
    static const std::regex no_function(R"(^\s*(using|friend|typedef|static_assert|enum)\b)");
    if (std::regex_search(words, no_function)) return {};
    return {Kind::function, std::regex_replace(match[1].str(), std::regex(R"(\s)"), "")};
}

/// Reads functions and classes of one file.
class Reader {
  public:
    Reader(const std::string& text, std::string folder, Sizes& sizes)
        : code_(code_of(text)), folder_(std::move(folder)), sizes_(sizes) {
        read_scope(nullptr);
    }

  private:
    /// From here to the closing brace of a namespace or a class.
    void read_scope(Class* owner) {
        std::string statement;
        std::size_t first = line_;
        for (; at_ < code_.size() && code_[at_] != '}'; step()) {
            const bool is_label = code_[at_] == ':' && is_access(statement);
            if (statement.find_first_not_of(" \t\n") == std::string::npos) first = line_;
            if (code_[at_] == ';' || is_label) {
                if (owner) count_method(meaning_of(statement), *owner);
                statement.clear();
            } else if (code_[at_] != '{') {
                statement += code_[at_];
            } else if (const Statement what = meaning_of(statement); what.kind == Kind::other) {
                skip_block();
                statement += "{}";
            } else {
                read_block(what, first, owner);
                statement.clear();
            }
        }
    }

    void read_block(const Statement& what, std::size_t first, Class* owner) {
        if (what.kind == Kind::function) {
            skip_block();
            if (owner) count_method(what, *owner);
            const std::string name = owner ? owner->name + "::" + what.name : what.name;
            sizes_.functions.push_back({name, folder_, line_ - first + 1, owner != nullptr});
            return;
        }
        step();
        if (what.kind == Kind::scope) return read_scope(nullptr);
        Class found{what.name, folder_, 0, 0};
        read_scope(&found);
        found.lines = line_ - first + 1;
        sizes_.classes.push_back(found);
    }

    /// To the closing brace of the block that opens here.
    void skip_block() {
        int depth = 0;
        for (; at_ < code_.size(); step()) {
            if (code_[at_] == '{') ++depth;
            if (code_[at_] == '}' && --depth == 0) return;
        }
    }

    static bool is_access(const std::string& statement) {
        static const std::regex label(R"(^\s*(public|private|protected)\s*$)");
        return std::regex_match(statement, label);
    }

    static void count_method(const Statement& what, Class& owner) {
        const bool is_special = what.name == owner.name || what.name.starts_with('~') ||
                                what.name.starts_with("operator");
        if (what.kind == Kind::function && !is_special) ++owner.methods;
    }

    void step() {
        if (code_[at_] == '\n') ++line_;
        ++at_;
    }

    std::string code_, folder_;
    Sizes& sizes_;
    std::size_t at_ = 0, line_ = 1;
};

/// Adds to each class the lines of its member functions outside of it.
void add_members(Sizes& sizes) {
    std::map<std::pair<std::string, std::string>, std::size_t> outside;
    for (const Function& function : sizes.functions) {
        const std::size_t end = function.name.rfind("::");
        if (function.is_inside || end == std::string::npos) continue;
        const std::size_t begin = function.name.rfind("::", end - 1);
        const std::size_t from = begin == std::string::npos || end == 0 ? 0 : begin + 2;
        outside[{function.folder, function.name.substr(from, end - from)}] += function.lines;
    }
    for (Class& each : sizes.classes) {
        const std::size_t end = each.name.rfind("::");
        const std::string name = end == std::string::npos ? each.name : each.name.substr(end + 2);
        each.lines += outside[{each.folder, name}];
    }
}

Sizes sizes_of(const std::string& text) {
    Sizes sizes;
    Reader(text, "", sizes);
    add_members(sizes);
    return sizes;
}

const Sizes& sizes_of_all() {
    static const Sizes sizes = [] {
        Sizes all;
        for (const std::string& path : stoss::tests::source_files()) {
            const std::string folder = path.substr(0, path.rfind('/'));
            Reader(stoss::tests::source_text(path), folder, all);
        }
        add_members(all);
        return all;
    }();
    return sizes;
}

bool is_too_large(const Class& each) {
    return each.lines > longest_class || each.methods > most_methods;
}

TEST(Size, NoFunctionIsLongerThanAScreen) {
    ASSERT_GT(sizes_of_all().functions.size(), 3000u);
    for (const Function& function : sizes_of_all().functions) {
        if (exceptions().contains(function.name)) continue;
        EXPECT_LE(function.lines, longest_function) << function.folder << ": " << function.name;
    }
}

TEST(Size, NoClassIsLargerThanAReaderCanHold) {
    ASSERT_GT(sizes_of_all().classes.size(), 600u);
    for (const Class& each : sizes_of_all().classes) {
        if (exceptions().contains(each.name)) continue;
        EXPECT_LE(each.lines, longest_class) << each.folder << ": " << each.name;
        EXPECT_LE(each.methods, most_methods) << each.folder << ": " << each.name;
    }
}

/// An exception that is no longer needed goes.
TEST(Size, EveryExceptionIsTooLarge) {
    std::set<std::string> large;
    for (const Function& function : sizes_of_all().functions) {
        if (function.lines > longest_function) large.insert(function.name);
    }
    for (const Class& each : sizes_of_all().classes) {
        if (is_too_large(each)) large.insert(each.name);
    }
    for (const auto& [name, reason] : exceptions())
        EXPECT_TRUE(large.contains(name)) << name << " keeps to the rule";
}

TEST(SizeReader, CountsLinesFromTheDeclarationToTheBrace) {
    const Sizes sizes = sizes_of(
        "namespace a {\n"
        "template <class T>\n"
        "int f(T x,\n"
        "      std::function<void(int)> y = {}) {\n"
        "    if (x) { return '{'; }\n"
        "    return \"}\";  // }\n"
        "}\n"
        "}  // namespace a\n");
    ASSERT_EQ(sizes.functions.size(), 1u);
    EXPECT_EQ(sizes.functions[0].name, "f");
    EXPECT_EQ(sizes.functions[0].lines, 6u);
}

TEST(SizeReader, CountsMethodsButNoConstructorsAndOperators) {
    const Sizes sizes = sizes_of(
        "class A : public B {\n"
        "  public:\n"
        "    A(int n) : n_{n}, m_{n} { go(); }\n"
        "    ~A();\n"
        "    A& operator=(const A&) = delete;\n"
        "    bool operator()(int) const { return true; }\n"
        "    int f() const { return n_; }\n"
        "    template <class T>\n"
        "    void g(T t);\n"
        "  private:\n"
        "    virtual void h(int i = 1) = 0;\n"
        "    int n_ = 0, m_{};\n"
        "    std::function<void(int)> work_;\n"
        "    std::vector<int> values_ = {1, 2};\n"
        "};\n");
    ASSERT_EQ(sizes.classes.size(), 1u);
    EXPECT_EQ(sizes.classes[0].name, "A");
    EXPECT_EQ(sizes.classes[0].methods, 3u);
    EXPECT_EQ(sizes.classes[0].lines, 15u);
    EXPECT_EQ(sizes.functions.size(), 3u);
}

TEST(SizeReader, AddsMemberFunctionsOutsideOfTheClass) {
    const Sizes sizes = sizes_of(
        "struct A {\n"
        "    A();\n"
        "    void f();\n"
        "};\n"
        "A::A() : n_(0), m_{1} {\n"
        "}\n"
        "void A::f() {\n"
        "    go();\n"
        "}\n"
        "void f() {\n"
        "}\n");
    ASSERT_EQ(sizes.classes.size(), 1u);
    EXPECT_EQ(sizes.classes[0].methods, 1u);
    EXPECT_EQ(sizes.classes[0].lines, 4u + 2u + 3u);
}

}  // namespace
