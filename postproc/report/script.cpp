#include <postproc/report/script.hpp>

#include <array>
#include <cstddef>

namespace stoss::postproc {

std::string Script::data_block(const std::string& numbers) {
    if (numbers.empty()) return {};
    const std::string name = fmt::format("$d{}", blocks_++);
    line("{} << EOD\n{}EOD", name, numbers);
    return name;
}

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
    return result + "'";
}

std::string line_words(const LineStyle& style) {
    return fmt::format("lc rgb '{}' dt {} lw {:g}", style.color, style.dashes, style.width);
}

std::string point_words(const Curve& curve) {
    static constexpr std::array<int, 8> symbols = {7, 5, 9, 13, 11, 6, 4, 2};
    return fmt::format("pt {} ps {} lc rgb '{}'", symbols[curve.symbol % symbols.size()],
                       curve.drawn == Drawn::line ? 0.3 : 0.5, curve.style.color);
}

}  // namespace stoss::postproc
