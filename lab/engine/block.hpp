#pragma once
/// Long columns of an answer. They leave the engine as doubles, because a film as text takes longer
/// to write and to read than to compute.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <lab/engine/values.hpp>

namespace stoss::lab {

/// The numbers of one answer, column after column.
class Block {
  public:
    /// Appends a column. Its place for the text of the answer: {"from": first index, "count":
    /// length}.
    template <class Numbers>
    Value put(const Numbers& column) {
        const std::size_t from = numbers_.size();
        numbers_.insert(numbers_.end(), column.begin(), column.end());
        return Value(Value::object()
                         .set("from", static_cast<std::int64_t>(from))
                         .set("count", static_cast<std::int64_t>(numbers_.size() - from)));
    }

    const std::vector<double>& numbers() const { return numbers_; }

  private:
    std::vector<double> numbers_;
};

}  // namespace stoss::lab
