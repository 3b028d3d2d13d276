#pragma once
/// What the operating system refuses to do with a file.

#include <cstring>
#include <string>

#include <stoss/core/error.hpp>

namespace stoss::io {

/// A file or directory that the operating system refuses, with the reason (errno).
class SystemError : public core::FileError {
  public:
    /// `what`: as "cannot be read".
    SystemError(const std::string& file, const std::string& what, int reason)
        : FileError(file + ": " + what + ": " + std::strerror(reason)),
          file_(file),
          what_(what),
          reason_(reason) {}

    const std::string& file() const noexcept { return file_; }
    /// What failed and why, without the file.
    std::string failure() const { return what_ + ": " + std::strerror(reason_); }
    int reason() const noexcept { return reason_; }

  private:
    std::string file_, what_;
    int reason_;
};

}  // namespace stoss::io
