#pragma once
/// A case file as a tree that remembers where everything stood.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <stoss/core/error.hpp>

namespace stoss::io {

/// Place in a file; lines and columns start at 1, 0 means "not from the file" (e.g. from --set).
struct Mark {
    int line = 0;
    int column = 0;
};

/// A YAML value: null, scalar, sequence or mapping. Aliases are expanded.
struct Node {
    enum class Kind { null, scalar, sequence, mapping };
    struct Entry;

    Kind kind = Kind::null;
    std::string scalar;
    std::vector<Node> items;
    std::vector<Entry> entries;
    Mark mark;

    /// The value of `key` in a mapping; nullptr if there is none.
    const Node* find(std::string_view key) const;
    Node* find(std::string_view key);

    /// Sets the value at a dotted path (`beam.supports[0].x`), creating mappings on the way.
    /// Errors: throws core::InputError if the path is malformed or runs through a scalar, a
    /// sequence without an index, or an absent index.
    void set(std::string_view path, Node value);
    static Node text(std::string scalar);
};

struct Node::Entry {
    std::string key;
    Mark mark;  ///< of the key
    Node value;
};

/// Same values in the same order; marks do not count.
bool same_tree(const Node& a, const Node& b);

/// A parsed file.
struct Document {
    std::string file;
    Node root;

    /// Attaches file and place: of the key if it is there, else of the nearest enclosing key.
    core::Diagnostic locate(core::Violation violation) const;
};

/// What a document may at most be; a case far beyond these is a mistake or an attack.
inline constexpr std::size_t largest_file = std::size_t{16} << 20;  ///< bytes
inline constexpr int deepest_nesting = 64;                          ///< levels
inline constexpr std::size_t most_nodes = 1'000'000;                ///< after aliases are expanded

/// Reads a YAML file whose root is a mapping.
/// Errors: core::FileError with the system's reason if unreadable; core::InputError with
/// file:line:column for bad UTF-8, tabs as indentation, bad syntax, duplicate keys, an empty file,
/// more than one document, tags, nesting or size beyond the limits.
Document read_yaml(const std::string& file);
Document parse_yaml(std::string_view text, std::string file_name);

/// Reads one YAML value of any kind, as in `--set key=VALUE`. Its marks are zero.
/// Errors: core::InputError as above, under the name `origin`.
Node parse_yaml_value(std::string_view text, const std::string& origin);

/// Writes a tree as YAML that reads back as the same tree. The root must be a mapping.
std::string to_yaml(const Node& root);

/// Writes a value on one line: `0.0127 m`, `[1, 2]`, `{x: 1}`.
std::string to_yaml_line(const Node& value);

}  // namespace stoss::io
