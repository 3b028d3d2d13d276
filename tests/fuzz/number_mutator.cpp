/// Half of the inputs that a fuzzer makes up are another input with one number replaced: bytes
/// alone hardly ever make a case that is right but for that.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

struct Span {
    std::size_t begin, length;
};

/// The numbers of a text: a digit with what belongs to it on both sides.
std::vector<Span> numbers_in(std::string_view text) {
    const auto belongs = [](char c) {
        return std::isdigit(static_cast<unsigned char>(c)) || c == '.' || c == '-' || c == '+' ||
               c == 'e' || c == 'E';
    };
    std::vector<Span> numbers;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!std::isdigit(static_cast<unsigned char>(text[i]))) continue;
        std::size_t begin = i, end = i;
        while (begin > 0 && belongs(text[begin - 1])) --begin;
        while (end < text.size() && belongs(text[end])) ++end;
        numbers.push_back({begin, end - begin});
        i = end;
    }
    return numbers;
}

template <class Random>
std::string_view draw_number(Random& random) {
    constexpr std::array<std::string_view, 28> numbers{"0",          "1",
                                                       "-1",         "2",
                                                       "0.5",        "-0.0",
                                                       "3",          "1e-300",
                                                       "1e300",      "1e308",
                                                       "5e-324",     "-1.7e308",
                                                       "1e154",      "1e-154",
                                                       "1e-9",       "1e9",
                                                       "1e15",       "1e16",
                                                       "1e19",       "65536",
                                                       "4294967296", "9007199254740993",
                                                       ".nan",       ".inf",
                                                       "-.inf",      "1e400",
                                                       "0x10",       "1_000"};
    return numbers[random() % numbers.size()];
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
    std::minstd_rand random(seed);
    const std::string text(reinterpret_cast<const char*>(data), size);
    const std::vector<Span> numbers = numbers_in(text);
    if (numbers.empty() || random() % 2 == 0) return LLVMFuzzerMutate(data, size, most);
    const Span one = numbers[random() % numbers.size()];
    std::string changed = text;
    changed.replace(one.begin, one.length, draw_number(random));
    const std::size_t length = std::min(changed.size(), most);
    std::memcpy(data, changed.data(), length);
    return length;
}
