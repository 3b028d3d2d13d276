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
    /// Errors: throws core::InputError if the path runs through a scalar or an absent index.
    void set(std::string_view path, Node value);
    static Node text(std::string scalar);
};

struct Node::Entry {
    std::string key;
    Mark mark;
    Node value;
};

/// A parsed file.
struct Document {
    std::string file;
    Node root;

    /// Attaches file and place (of the key's value, or of the nearest enclosing mapping).
    core::Diagnostic locate(core::Violation violation) const;
};

/// Reads a YAML file. Errors: core::FileError if unreadable, core::InputError for bad YAML
/// (syntax, duplicate keys, nesting or size beyond the limits).
Document read_yaml(const std::string& file);
Document parse_yaml(std::string_view text, std::string file_name);

/// Writes a tree as YAML that reads back as the same tree.
std::string to_yaml(const Node& root);

}  // namespace stoss::io
