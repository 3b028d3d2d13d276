/// From the text of the page to the code of the engine (src/packed.ts, src/copies.ts). In
/// WebAssembly, as a script is slow in its first calls, and this runs once.
#include <cstddef>
#include <cstdint>

namespace {

/// The numbers of a form, from a place on.
class Numbers {
  public:
    explicit Numbers(const std::uint8_t* at) : at_(at) {}

    std::uint32_t next() {
        std::uint32_t value = 0;
        int shift = 0;
        for (; *at_ > 127; shift += 7) value |= (*at_++ & 127u) << shift;
        return value | static_cast<std::uint32_t>(*at_++) << shift;
    }
    const std::uint8_t* at() const { return at_; }

  private:
    const std::uint8_t* at_;
};

/// The distances that copies went back, the newest first, each once.
class Distances {
  public:
    static constexpr std::uint32_t kept = 8;

    /// From the third number of a copy.
    std::uint32_t take(std::uint32_t which) {
        const std::uint32_t back = which < kept ? last_[which] : which - kept;
        std::uint32_t old = which < kept ? which : 0;
        while (which >= kept && old + 1 < kept && last_[old] != back) ++old;
        for (; old > 0; --old) last_[old] = last_[old - 1];
        return last_[0] = back;
    }

  private:
    std::uint32_t last_[kept] = {};
};

}  // namespace

extern "C" {

/// The bytes that a text holds. Returns how many; what its last character holds beyond `limit` is
/// not kept.
std::size_t stoss_unpack(const std::uint8_t* text, std::size_t size, std::uint8_t* bytes,
                         std::size_t limit) {
    constexpr std::uint32_t sevens = 122;  // characters of seven bits; those after them have six
    std::uint32_t held = 0;
    int bits = 0;
    std::size_t count = 0;
    for (const std::uint8_t* const end = text + size; text != end; ++text) {
        // A page does not hold the characters 0, 13 and 60.
        const std::uint32_t place = *text - 1u - (*text > 13) - (*text > 60);
        const int more = place < sevens ? 7 : 6;
        held = held << more | (place < sevens ? place : place - sevens / 2);
        bits += more;
        if (bits >= 8 && count < limit) {
            bits -= 8;
            bytes[count++] = static_cast<std::uint8_t>(held >> bits);
        }
    }
    return count;
}

/// The bytes from which copies were taken. Returns how many; there is room for `limit`.
std::size_t stoss_put_copies(const std::uint8_t* form, std::size_t size, std::uint8_t* bytes,
                             std::size_t limit) {
    constexpr std::uint32_t shortest = 4;
    Numbers sizes(form);
    const std::uint32_t of_plains = sizes.next(), of_lengths = sizes.next(),
                        of_backs = sizes.next();
    Numbers plains(sizes.at()), lengths(sizes.at() + of_plains);
    const std::uint8_t *const end_of_plains = lengths.at(), *const end_of_form = form + size;
    Numbers backs(lengths.at() + of_lengths);
    const std::uint8_t* from = backs.at() + of_backs;
    Distances distances;
    std::uint8_t* at = bytes;
    const std::uint8_t* const end = bytes + limit;
    while (plains.at() != end_of_plains) {
        for (std::uint32_t left = plains.next(); left > 0 && at != end; --left) *at++ = *from++;
        const std::uint32_t back = distances.take(backs.next());
        for (std::uint32_t left = lengths.next() + shortest; left > 0 && at != end; --left, ++at)
            *at = *(at - back);
    }
    while (from != end_of_form && at != end) *at++ = *from++;
    return static_cast<std::size_t>(at - bytes);
}
}
