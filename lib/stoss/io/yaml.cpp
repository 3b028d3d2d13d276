#include <stoss/io/document.hpp>
#include <stoss/io/file.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace stoss::io {
namespace {

core::Diagnostic at(Mark mark, std::string rule, std::string suggestion = {}) {
    return {{}, mark.line, mark.column, {{}, {}, std::move(rule), std::move(suggestion)}};
}

[[noreturn]] void refuse(Mark mark, std::string rule, std::string suggestion = {}) {
    throw core::InputError({at(mark, std::move(rule), std::move(suggestion))});
}

/// Places with columns in characters; the parser counts bytes.
class Places {
  public:
    explicit Places(std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            if ((static_cast<unsigned char>(text[i]) & 0xC0u) == 0x80u)
                later_bytes_.push_back(static_cast<int>(i));
        }
    }

    Mark of(const YAML::Mark& mark) const {
        if (mark.is_null()) return {};
        const auto later_bytes_before = [&](int position) {
            return std::ranges::lower_bound(later_bytes_, position) - later_bytes_.begin();
        };
        const auto in_line =
            later_bytes_before(mark.pos) - later_bytes_before(mark.pos - mark.column);
        return {mark.line + 1, mark.column - static_cast<int>(in_line) + 1};
    }

  private:
    std::vector<int> later_bytes_;  // positions of those that do not begin a character, rising
};

// Builds our tree from the parser's events. The limits hold while the tree grows, so a file of a
// few lines whose aliases multiply ("billion laughs") is refused before it fills the memory.
class TreeBuilder final : public YAML::EventHandler {
  public:
    TreeBuilder(std::string_view text, const Places& places) : text_(text), places_(places) {}

    Node root;
    std::vector<core::Diagnostic> problems;

    /// Where the innermost sequence or mapping that has not ended begins.
    Mark innermost() const { return open_.empty() ? Mark{} : open_.back().subtree.node.mark; }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        Node node;
        node.mark = place(mark);
        add({std::move(node), 1, 1}, anchor);
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        refuse_tag(mark, tag);
        if (tag == "!") refuse_open_quote(mark);
        Node node = Node::text(value);
        node.mark = place(mark);
        add({std::move(node), 1, 1}, anchor);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end())
            refuse(place(mark), "an alias (`*name`) is inside its own value");
        Subtree copy = found->second;
        if (static_cast<int>(open_.size()) + copy.depth > deepest_nesting)
            refuse_depth(place(mark));
        count(copy.nodes, place(mark));
        copy.node.mark = place(mark);
        add(std::move(copy), 0);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(Node::Kind::sequence, mark, tag, anchor);
    }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(Node::Kind::mapping, mark, tag, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapEnd() override { close(); }

  private:
    struct Subtree {
        Node node;
        std::size_t nodes = 1;
        int depth = 1;
    };
    struct Open {
        Subtree subtree;
        YAML::anchor_t anchor = 0;
        bool key_is_next = false;
        std::unordered_map<std::string, Mark> keys;
    };

    Mark place(const YAML::Mark& mark) const { return places_.of(mark); }

    void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
        if (tag.empty() || tag == "?" || tag == "!") return;
        refuse(place(mark), "has the tag `" + tag + "`; a case file has no tags",
               "leave the tag out");
    }

    // yaml-cpp takes a quote that is never closed for one that ends with the file.
    void refuse_open_quote(const YAML::Mark& mark) const {
        std::size_t i = static_cast<std::size_t>(mark.pos);
        if (i < text_.size() && text_[i] == '&') i = text_.find_first_of("'\"", i);
        if (i >= text_.size() || (text_[i] != '\'' && text_[i] != '"')) return;
        const char quote = text_[i];
        for (++i; i < text_.size(); ++i) {
            if (quote == '"' && text_[i] == '\\') {
                ++i;
            } else if (text_[i] == quote) {
                const bool is_doubled =
                    quote == '\'' && i + 1 < text_.size() && text_[i + 1] == quote;
                if (!is_doubled) return;
                ++i;
            }
        }
        refuse(place(mark), std::string("the quote ") + quote + " that opens here is never closed");
    }

    [[noreturn]] static void refuse_depth(Mark mark) {
        refuse(mark, "is nested more than " + std::to_string(deepest_nesting) + " levels deep");
    }

    void count(std::size_t nodes, Mark mark) {
        nodes_ += nodes;
        if (nodes_ > most_nodes) {
            refuse(mark, "the file holds more than " + std::to_string(most_nodes) +
                             " values once its aliases (`*name`) are expanded");
        }
    }

    void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag,
              YAML::anchor_t anchor) {
        refuse_tag(mark, tag);
        if (!open_.empty() && open_.back().key_is_next) {
            refuse(place(mark), "a key must be a single word, not a sequence or a mapping",
                   "a bracket that opens here may not be closed");
        }
        if (static_cast<int>(open_.size()) >= deepest_nesting) refuse_depth(place(mark));
        Open frame;
        frame.subtree.node.kind = kind;
        frame.subtree.node.mark = place(mark);
        frame.anchor = anchor;
        frame.key_is_next = kind == Node::Kind::mapping;
        count(1, place(mark));
        open_.push_back(std::move(frame));
    }

    void close() {
        Open frame = std::move(open_.back());
        open_.pop_back();
        place_value(std::move(frame.subtree), frame.anchor);
    }

    void add(Subtree subtree, YAML::anchor_t anchor) {
        if (!open_.empty() && open_.back().key_is_next) {
            add_key(subtree.node);
            return;
        }
        if (subtree.nodes == 1) count(1, subtree.node.mark);
        place_value(std::move(subtree), anchor);
    }

    void add_key(const Node& node) {
        if (node.kind != Node::Kind::scalar || node.scalar.empty()) {
            refuse(node.mark, "a key is missing before the colon");
        }
        if (node.scalar == "<<")
            refuse(node.mark, "`<<` merges keys, which a case file does not do",
                   "write the keys out; an alias `*name` may be a whole value");
        Open& frame = open_.back();
        const auto [first, is_new] = frame.keys.try_emplace(node.scalar, node.mark);
        if (!is_new) {
            problems.push_back(at(node.mark,
                                  "the key `" + node.scalar +
                                      "` is given twice; the first one is in line " +
                                      std::to_string(first->second.line) + ", column " +
                                      std::to_string(first->second.column),
                                  "remove one of the two"));
        }
        frame.subtree.node.entries.push_back({node.scalar, node.mark, {}});
        frame.key_is_next = false;
    }

    void place_value(Subtree subtree, YAML::anchor_t anchor) {
        if (anchor != 0) {
            // The stored copies count as well: nested anchors multiply them.
            count(subtree.nodes, subtree.node.mark);
            anchors_[anchor] = subtree;
        }
        if (open_.empty()) {
            root = std::move(subtree.node);
            return;
        }
        Open& frame = open_.back();
        frame.subtree.nodes += subtree.nodes;
        frame.subtree.depth = std::max(frame.subtree.depth, subtree.depth + 1);
        if (frame.subtree.node.kind == Node::Kind::sequence) {
            frame.subtree.node.items.push_back(std::move(subtree.node));
        } else {
            frame.subtree.node.entries.back().value = std::move(subtree.node);
            frame.key_is_next = true;
        }
    }

    std::string_view text_;
    const Places& places_;
    std::vector<Open> open_;
    std::map<YAML::anchor_t, Subtree> anchors_;
    std::size_t nodes_ = 0;
};

// Length of the UTF-8 character at `text[i]`; 0 if the bytes are none (overlong, surrogate, cut
// off).
std::size_t utf8_length(std::string_view text, std::size_t i) {
    const auto byte = [&](std::size_t k) {
        return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0u;
    };
    const auto continues = [&](std::size_t k) { return (byte(k) & 0xC0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) >= 0xA0;
        return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool too_high = first == 0xF4 && byte(1) >= 0x90;
        return continues(1) && continues(2) && continues(3) && !overlong && !too_high ? 4 : 0;
    }
    return 0;
}

// The parser would replace bad bytes and misread tabs; here both are named with their place.
void refuse_bad_characters(std::string_view text) {
    Mark mark{1, 1};
    bool in_indentation = true;
    std::optional<Mark> tab;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_length(text, i);
        if (length == 0) refuse(mark, "is not UTF-8 text", "save the file with the encoding UTF-8");
        const char c = text[i];
        if (c == '\n') {
            mark = {mark.line + 1, 1};
            in_indentation = true;
            tab.reset();
            ++i;
            continue;
        }
        const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r';
        if (is_control || c == 0x7f) {
            refuse(mark, "holds a control character (byte " + std::to_string(int{c}) + ")",
                   "a case is plain text; remove the character");
        }
        if (in_indentation && c == '\t' && !tab) tab = mark;
        if (c != ' ' && c != '\t' && c != '\r') {
            if (in_indentation && tab && c != '#') {
                refuse(*tab, "the indentation has a tab", "indent with spaces");
            }
            in_indentation = false;
        }
        ++mark.column;
        i += length;
    }
}

// The parser's message in plain words where it is a riddle.
std::string plain_words(const std::string& message) {
    constexpr std::array<std::array<std::string_view, 2>, 14> translations{{
        {"illegal EOF in scalar", "a quote is never closed"},
        {"unknown token", "a text cannot begin with this character; put the text in quotes"},
        {"illegal flow end", "a `]` or `}` closes nothing, or the brackets are mixed up"},
        {"anchor not found after &",
         "the anchor (`&`) has no name; if it is text, put it in quotes"},
        {"alias not found after *", "the alias (`*`) has no name; if it is text, put it in quotes"},
        {"unexpected character in block scalar",
         "the text must begin in the line after `|` or `>`"},
        {"illegal map value",
         "a value cannot be here: two colons in one line, or wrong indentation"},
        {"end of map not found",
         "the lines do not line up with a key above, or a `}` or a colon is missing"},
        {"end of map flow not found", "the `{` that opens here is never closed with `}`"},
        {"end of sequence flow not found", "the `[` that opens here is never closed with `]`"},
        {"end of sequence not found", "the lines do not line up with the `-` above"},
        {"block entry", "a list item (`- ...`) cannot be here"},
        {"unknown escape character",
         "a backslash in double quotes begins an unknown escape; use single quotes"},
        {"the referenced anchor is not defined",
         "an alias (`*name`) has no anchor (`&name`) before it"},
    }};
    for (const auto& [theirs, ours] : translations) {
        if (message.find(theirs) != std::string::npos) return std::string(ours);
    }
    return "is not YAML: " + message;
}

std::string hint_for(const std::string& message) {
    if (message.find("illegal map value") == std::string::npos) return {};
    return "put a text that holds a colon in quotes; begin the keys of a mapping in one column";
}

// True where a `[` ends a text without quotes, as in {key: beam.springs[0].xi}: YAML begins a list
// there, but only inside of braces or brackets.
bool begins_list_in_text(std::string_view text, const YAML::Mark& mark) {
    const auto at = static_cast<std::size_t>(mark.pos);
    if (mark.is_null() || at == 0 || at >= text.size() || text[at] != '[') return false;
    const auto before = static_cast<unsigned char>(text[at - 1]);
    return std::isalnum(before) || before == '_';
}

constexpr const char* no_colon = "a colon with a blank after it is missing in this line";
constexpr const char* key_and_value = "write `key: value`; a text over several lines needs quotes";

// YAML takes a line without `key: ` and the lines below it for one text, and complains of the colon
// of a later line. This is the place of such a line before `mark`, if it is one.
std::optional<Mark> missing_colon_before(std::string_view text, const YAML::Mark& mark) {
    if (mark.is_null()) return {};
    std::size_t end = static_cast<std::size_t>(mark.pos - mark.column);
    for (int line = mark.line; line > 0; --line) {
        const std::size_t begin = end < 2 ? 0 : text.rfind('\n', end - 2) + 1;  // npos + 1 is 0
        std::string_view words = text.substr(begin, end - 1 - begin);
        end = begin;
        words = words.substr(0, std::min(words.find('#'), words.find_last_not_of(" \r") + 1));
        const std::size_t first = words.find_first_not_of(" \r");
        if (first == std::string_view::npos) continue;
        const bool has_key = words.find(": ") != std::string_view::npos || words.ends_with(':');
        if (has_key || words[first] == '-') return {};
        return Mark{line, static_cast<int>(first) + 1};
    }
    return {};
}

Node parse(std::string_view text) {
    if (text.size() > largest_file) {
        refuse({}, "is larger than " + std::to_string(largest_file >> 20) +
                       " MiB, too large for a case");
    }
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    refuse_bad_characters(text);
    const Places places(text);
    TreeBuilder builder(text, places);
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(builder)) return {};
        TreeBuilder second(text, places);
        if (parser.HandleNextDocument(second)) {
            // A comment ends a text without a key, and the parser begins a document after it.
            if (builder.root.kind == Node::Kind::scalar)
                refuse(builder.root.mark, no_colon, key_and_value);
            refuse(second.root.mark, "a second document starts here; a case is one document",
                   "remove the line `---`");
        }
    } catch (const YAML::Exception& error) {
        if (begins_list_in_text(text, error.mark)) {
            refuse(places.of(error.mark), "this `[` begins a list inside of a text",
                   "put the text in quotes, as in {key: \"beam.springs[0].xi\"}");
        }
        if (error.msg.find("illegal map value") != std::string::npos) {
            if (const auto place = missing_colon_before(text, error.mark)) {
                refuse(*place, no_colon, key_and_value);
            }
        }
        const bool is_open_bracket = error.msg.find("flow not found") != std::string::npos;
        refuse(is_open_bracket ? builder.innermost() : places.of(error.mark),
               plain_words(error.msg), hint_for(error.msg));
    }
    if (!builder.problems.empty()) throw core::InputError(builder.problems);
    return std::move(builder.root);
}

// Runs `work`; the diagnostics that leave it carry the file's name.
template <class Work>
auto under_name(const std::string& file, Work&& work) {
    try {
        return work();
    } catch (const core::InputError& error) {
        std::vector<core::Diagnostic> named = error.diagnostics();
        for (core::Diagnostic& diagnostic : named) diagnostic.file = file;
        throw core::InputError(std::move(named));
    }
}

void clear_marks(Node& node) {
    node.mark = {};
    for (Node& item : node.items) clear_marks(item);
    for (Node::Entry& entry : node.entries) {
        entry.mark = {};
        clear_marks(entry.value);
    }
}

}  // namespace

Document parse_yaml(std::string_view text, std::string file_name) {
    Node root = under_name(file_name, [&] {
        Node tree = parse(text);
        if (tree.kind == Node::Kind::null) {
            refuse({}, "is empty; a case is a mapping of keys to values",
                   "begin with `problem: ...`");
        }
        if (tree.kind != Node::Kind::mapping) {
            refuse(tree.mark, "is not a case: it must hold keys with values",
                   "write lines such as `problem: ...`");
        }
        return tree;
    });
    return {std::move(file_name), std::move(root)};
}

Document read_yaml(const std::string& file) {
    // One byte more than the limit is enough to see that the file is too large (or endless).
    return parse_yaml(read_beginning(file, largest_file + 1), file);
}

Node parse_yaml_value(std::string_view text, const std::string& origin) {
    try {
        Node value = parse(text);
        clear_marks(value);
        return value;
    } catch (const core::InputError& error) {
        std::vector<core::Diagnostic> unplaced = error.diagnostics();
        for (core::Diagnostic& diagnostic : unplaced) {
            diagnostic.file = origin;
            diagnostic.line = 0;
        }
        throw core::InputError(std::move(unplaced));
    }
}

}  // namespace stoss::io
