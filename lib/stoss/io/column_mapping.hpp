#pragma once
/// Where a file beside a table says what its columns are.

#include <filesystem>
#include <string>

namespace stoss::io {

/// `name.columns.yaml` beside `name.csv`.
inline std::string mapping_file_of(const std::string& table_file) {
    return std::filesystem::path(table_file).replace_extension(".columns.yaml").string();
}

}  // namespace stoss::io
