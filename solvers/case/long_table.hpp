#pragma once
/// A table in which each of several things has rows of its own.

#include <string>
#include <vector>

#include <stoss/io/csv.hpp>

namespace stoss::solvers {

/// Rows of numbers, the name of what each belongs to in the first column.
class LongTable {
  public:
    LongTable(std::string name, std::vector<std::string> columns)
        : name_(std::move(name)), columns_(std::move(columns)), values_(columns_.size()) {}

    /// `row` holds one number a column.
    void add(const std::string& whose, const std::vector<double>& row) {
        names_.push_back(whose);
        for (std::size_t i = 0; i < row.size(); ++i) values_[i].push_back(row[i]);
    }

    io::Table table() const {
        io::Table table;
        table.add(name_, names_);
        for (std::size_t i = 0; i < columns_.size(); ++i) table.add(columns_[i], values_[i]);
        return table;
    }

  private:
    std::string name_;
    std::vector<std::string> columns_, names_;
    std::vector<std::vector<double>> values_;
};

}  // namespace stoss::solvers
