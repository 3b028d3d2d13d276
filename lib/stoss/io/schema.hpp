#pragma once
/// JSON Schema (draft-07, which editors know best) of case files, from the field lists.

#include <string>
#include <string_view>
#include <vector>

#include <stoss/io/describe.hpp>
#include <stoss/io/json.hpp>

namespace stoss::io {

/// Schema of a mapping with these keys and no others. A quantity is a number or a text with a unit;
/// a choice with keys of its own becomes an `if`/`then` on its name. What no schema can say (units
/// of the right dimension, ranges of texts with units) is left to the reader.
Value json_schema(const std::vector<KeyDescription>& keys, std::string_view title);

template <core::Described T>
Value json_schema(std::string_view title) {
    return json_schema(describe_keys<T>(), title);
}

/// The keys of a whole case: those of the header, and `problem`, whose choice decides about the
/// rest. A key `problem` of the header is replaced by that choice.
std::vector<KeyDescription> case_keys(std::vector<KeyDescription> header,
                                      std::vector<Choice> problems);

}  // namespace stoss::io
