// YAML without a library: mappings and sequences in lines or in brackets, plain and quoted scalars,
// comments. That is what the command and the laboratory write and what its presets hold. Anything
// else is refused with its line.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/io/document.hpp>

namespace stoss::io {
namespace {

struct Line {
    int number;
    std::size_t indent;
    std::string_view text;  // without indentation, comment and blanks at the end
};

[[noreturn]] void refuse(const std::string& file, int line, std::string rule) {
    throw core::InputError({{file, line, 1, {{}, {}, std::move(rule), {}}}});
}

// Where `text` holds `mark` outside of quotes and brackets; npos if nowhere.
template <class Test>
std::size_t find_outside(std::string_view text, Test is_mark) {
    char quote = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0) {
            if (quote == '"' && c == '\\') {
                ++i;
            } else if (c == quote) {
                quote = 0;
            }
        } else if (depth == 0 && is_mark(i)) {
            return i;
        } else if ((c == '"' || c == '\'') &&
                   (i == 0 ||
                    std::string_view(" [{,:").find(text[i - 1]) != std::string_view::npos)) {
            quote = c;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
    while (text.starts_with(' ')) text.remove_prefix(1);
    return text;
}

std::size_t end_of_key(std::string_view text) {
    return find_outside(text, [&](std::size_t i) {
        return text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ');
    });
}

class TreeReader {
  public:
    TreeReader(std::string_view text, std::string file) : file_(std::move(file)) { split(text); }

    Node whole() {
        if (lines_.empty()) refuse(file_, 1, "is empty; a case is a mapping of keys to values");
        Node root = block(lines_.front().indent);
        if (at_ < lines_.size())
            refuse(file_, lines_[at_].number, "is not indented as the lines above");
        if (root.kind != Node::Kind::mapping)
            refuse(file_, 1, "is not a case: it must hold keys with values");
        return root;
    }

  private:
    void split(std::string_view text) {
        for (int number = 1; !text.empty(); ++number) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            const std::size_t comment = comment_in(line);
            if (comment != std::string_view::npos) line = line.substr(0, comment);
            const std::size_t indent = line.find_first_not_of(" \r");
            if (indent == std::string_view::npos) continue;
            if (line[indent] == '\t') refuse(file_, number, "is indented with a tab");
            lines_.push_back({number, indent, trimmed(line)});
        }
    }

    static std::size_t comment_in(std::string_view line) {
        char quote = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const char c = line[i];
            const bool after_blank =
                i == 0 || std::string_view(" [{,").find(line[i - 1]) != std::string_view::npos;
            if (quote != 0) {
                if (quote == '"' && c == '\\')
                    ++i;
                else if (c == quote)
                    quote = 0;
            } else if ((c == '"' || c == '\'') && after_blank) {
                quote = c;
            } else if (c == '#' && after_blank) {
                return i;
            }
        }
        return std::string_view::npos;
    }

    Node block(std::size_t indent) {
        const bool is_sequence = lines_[at_].text.starts_with("- ") || lines_[at_].text == "-";
        return is_sequence ? sequence(indent) : mapping(indent);
    }

    Node sequence(std::size_t indent) {
        Node node;
        node.kind = Node::Kind::sequence;
        node.mark = {lines_[at_].number, static_cast<int>(indent) + 1};
        while (at_ < lines_.size() && lines_[at_].indent == indent &&
               lines_[at_].text.starts_with("-")) {
            Line& line = lines_[at_];
            std::string_view rest = line.text.substr(1);
            const std::size_t shift = std::min(rest.find_first_not_of(' '), rest.size()) + 1;
            rest = trimmed(rest);
            if (rest.empty()) refuse(file_, line.number, "begins an item and holds nothing");
            if (rest.front() != '{' && rest.front() != '[' &&
                end_of_key(rest) != std::string_view::npos) {
                line.indent += shift;  // the item is a mapping that begins on this line
                line.text = rest;
                node.items.push_back(mapping(line.indent));
            } else {
                ++at_;
                node.items.push_back(value(rest, line));
            }
        }
        return node;
    }

    Node mapping(std::size_t indent) {
        Node node;
        node.kind = Node::Kind::mapping;
        node.mark = {lines_[at_].number, static_cast<int>(indent) + 1};
        while (at_ < lines_.size() && lines_[at_].indent == indent) {
            const Line line = lines_[at_];
            const std::size_t colon = end_of_key(line.text);
            if (colon == std::string_view::npos)
                refuse(file_, line.number, "holds no key: write `key: value`");
            Node::Entry entry{scalar(line.text.substr(0, colon), line).scalar, node.mark, {}};
            entry.mark.line = line.number;
            if (node.find(entry.key) != nullptr)
                refuse(file_, line.number, "gives the key `" + entry.key + "` twice");
            const std::string_view rest = trimmed(line.text.substr(colon + 1));
            ++at_;
            if (!rest.empty()) {
                entry.value = value(rest, line);
            } else if (at_ < lines_.size() &&
                       (lines_[at_].indent > indent ||
                        (lines_[at_].indent == indent && lines_[at_].text.starts_with("- ")))) {
                entry.value = block(lines_[at_].indent);
            }
            node.entries.push_back(std::move(entry));
        }
        return node;
    }

    Node value(std::string_view text, const Line& line) {
        const char first = text.front();
        if (first == '[' || first == '{') return bracket(text, line);
        if (std::string_view("&*!|>%@`").find(first) != std::string_view::npos) {
            refuse(
                file_, line.number,
                "begins with `" + std::string(1, first) + "`, which the laboratory does not read");
        }
        return scalar(text, line);
    }

    Node bracket(std::string_view text, const Line& line) {
        const bool is_mapping = text.front() == '{';
        if (text.back() != (is_mapping ? '}' : ']'))
            refuse(file_, line.number, "has a bracket that does not close on its line");
        Node node;
        node.kind = is_mapping ? Node::Kind::mapping : Node::Kind::sequence;
        node.mark = {line.number, static_cast<int>(line.indent) + 1};
        std::string_view rest = trimmed(text.substr(1, text.size() - 2));
        while (!rest.empty()) {
            const std::size_t comma = std::min(
                find_outside(rest, [&](std::size_t i) { return rest[i] == ','; }), rest.size());
            const std::string_view part = trimmed(rest.substr(0, comma));
            rest = trimmed(rest.substr(std::min(comma + 1, rest.size())));
            if (part.empty()) refuse(file_, line.number, "has a comma with nothing before it");
            if (!is_mapping) {
                node.items.push_back(value(part, line));
                continue;
            }
            const std::size_t colon = end_of_key(part);
            if (colon == std::string_view::npos)
                refuse(file_, line.number, "holds no key: write `key: value`");
            const std::string_view held = trimmed(part.substr(colon + 1));
            node.entries.push_back({scalar(part.substr(0, colon), line).scalar, node.mark,
                                    held.empty() ? Node{} : value(held, line)});
        }
        return node;
    }

    Node scalar(std::string_view text, const Line& line) {
        Node node;
        node.mark = {line.number, static_cast<int>(line.indent) + 1};
        if (text == "~" || text == "null") return node;
        node.kind = Node::Kind::scalar;
        const char quote = text.empty() ? ' ' : text.front();
        if (quote != '"' && quote != '\'') {
            node.scalar = text;
            return node;
        }
        if (text.size() < 2 || text.back() != quote)
            refuse(file_, line.number, "has a quote that is never closed");
        for (std::size_t i = 1; i + 1 < text.size(); ++i) {
            char c = text[i];
            if (quote == '\'' && c == '\'') ++i;
            if (quote == '"' && c == '\\') {
                c = text[++i];
                if (c == 'n')
                    c = '\n';
                else if (c == 't')
                    c = '\t';
                else if (c != '"' && c != '\\')
                    refuse(file_, line.number, "has an escape that the laboratory does not read");
            }
            node.scalar += c;
        }
        return node;
    }

    std::string file_;
    std::vector<Line> lines_;
    std::size_t at_ = 0;
};

}  // namespace

Document parse_yaml(std::string_view text, std::string file_name) {
    Node root = TreeReader(text, file_name).whole();
    return {std::move(file_name), std::move(root)};
}

}  // namespace stoss::io
