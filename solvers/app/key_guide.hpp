#pragma once
/// Keys for the reader of a terminal: one level at a time, as wide as the terminal.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <stoss/io/describe.hpp>

namespace stoss::solvers {

/// What a value may be, in words: `a length > 0 m, such as "12.7 mm"`.
std::string value_words(const io::ValueDescription& value);

/// The key of that name in a mapping with these keys: one of them, or one of an alternative that
/// is beside them; nullptr if there is none.
const io::KeyDescription* key_named(const std::vector<io::KeyDescription>& keys,
                                    std::string_view name);

/// `text` in lines of at most `width` letters, each behind `indent` blanks but the first one.
std::string folded(std::string_view text, std::size_t indent, std::size_t width);

/// The keys of one mapping: meaning and value of each. What is inside a key is only named.
std::string guide(const std::vector<io::KeyDescription>& keys, std::size_t indent,
                  std::size_t width);

/// The key at a path as `striker.shape`, and what is one level below it.
/// `name` is what the keys are of, for messages. Errors: core::InputError for an unknown path, with
/// the nearest key.
std::string guide_at(const std::string& name, const std::vector<io::KeyDescription>& keys,
                     std::string_view path, std::size_t width);

}  // namespace stoss::solvers
