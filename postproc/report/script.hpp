#pragma once
/// The text of a gnuplot script while it is written.

#include <string>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/drawing.hpp>

namespace stoss::postproc {

/// Lines of a script and the data blocks in it.
class Script {
  public:
    template <class... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
    }

    /// Writes lines of numbers as a data block. Returns its name; empty if `numbers` is empty.
    std::string data_block(const std::string& numbers);

    const std::string& text() const { return text_; }

  private:
    std::string text_;
    int blocks_ = 0;
};

/// A text between gnuplot's quotes.
std::string quoted(const std::string& text);

/// The words that say how a line, or the points of a curve, look.
std::string line_words(const LineStyle& style);
std::string point_words(const Curve& curve);

}  // namespace stoss::postproc
