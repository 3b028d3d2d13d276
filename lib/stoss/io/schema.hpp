#pragma once
/// JSON Schema (draft 2020-12) of case files, from the field lists.

#include <string>
#include <string_view>
#include <vector>

#include <stoss/io/describe.hpp>
#include <stoss/io/json.hpp>

namespace stoss::io {

/// Schema of a mapping with these keys and no others. A quantity is a number or a text with a unit
/// that suits, positive where it must be; a choice with keys of its own becomes an `if`/`then` on
/// its name. Repeated parts are in `$defs`. What no schema can say (rules between
/// keys, bounds in other units than SI) is left to the reader.
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
