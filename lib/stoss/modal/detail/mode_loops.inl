// Loops over registers full of modes, and sums of eight lanes. Not a header: included inside the
// namespace of an instruction set, after core/vector.inl.

// At most eight lanes: eight sums in all, kept in one to eight registers.
constexpr std::size_t registers = Propagators::lanes / width;

/// Sum of all lanes: the upper half is added to the lower, and so on. (The names without `hn::` are
/// not known where a register has one lane.)
template <class Tag>
HWY_INLINE double fold([[maybe_unused]] Tag tag, hn::Vec<Tag> sums) {
    if constexpr (hn::MaxLanes(Tag()) == 1) {
        return hn::GetLane(sums);
    } else {
        const hn::Half<Tag> half;
        return fold(half, hn::Add(LowerHalf(half, sums), UpperHalf(half, sums)));
    }
}

/// Eight sums.
struct Sum {
    Vector part[registers];

    HWY_INLINE Sum() {
        for (Vector& each : part) each = Vector(0.0);
    }
    HWY_INLINE void add(std::size_t block, Vector value) { part[block] = part[block] + value; }
    HWY_INLINE double total() const {
        Vector sum[registers];
        for (std::size_t block = 0; block < registers; ++block) sum[block] = part[block];
        for (std::size_t half = registers / 2; half > 0; half /= 2) {
            for (std::size_t i = 0; i < half; ++i) sum[i] = sum[i] + sum[i + half];
        }
        return fold(Doubles(), sum[0].v);
    }
};

/// The table of a level for a register full of modes, from mode j on.
struct Table {
    const double* first;

    HWY_INLINE Table(const Propagator& level, std::size_t j)
        : first(level.table + Propagator::place(j)) {}
    HWY_INLINE Vector operator[](std::size_t column) const {
        return load(first + column * Propagator::lanes);
    }
};
using Column = FlowColumn;

/// Calls body(j, block) for every register full of modes: j its first mode, block the sums it is
/// for.
template <class Body>
HWY_INLINE void for_modes(std::size_t n, Body body) {
    for (std::size_t begin = 0; begin < n; begin += Propagators::lanes) {
        for (std::size_t block = 0; block < registers; ++block) body(begin + block * width, block);
    }
}
