// Rigid contacts with friction, over arrays of any leading shape.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include <stoss/core/parallel.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/rigid/contacts.hpp>
#include <stoss/rigid/coulomb.hpp>

#include "background.hpp"
#include "convert.hpp"
#include "module.hpp"

namespace stoss::python {

namespace {

using namespace pybind11::literals;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

constexpr std::size_t block = 256;  // contacts whose structure of arrays stays in the cache

/// Contacts as Python has them, in the order normal, t, o: A (N, 3, 3), b (N, 3), mu (N), or one
/// of them for all contacts.
struct Given {
    const double *A, *b, *mu;
    std::size_t A_stride, b_stride, mu_stride;  // 0: the same for all
    std::size_t count;

    Given(const Numbers& of_A, const Numbers& of_b, const Numbers& of_mu, std::size_t contacts)
        : A(of_A.data()),
          b(of_b.data()),
          mu(of_mu.data()),
          A_stride(of_A.ndim() > 2 ? 9 : 0),
          b_stride(of_b.ndim() > 1 ? 3 : 0),
          mu_stride(of_mu.ndim() > 0 ? 1 : 0),
          count(contacts) {
        const auto fits = [&](const Numbers& array, std::size_t stride, std::size_t one) {
            return static_cast<std::size_t>(array.size()) == (stride > 0 ? count * one : one);
        };
        if (!fits(of_A, A_stride, 9) || !fits(of_b, b_stride, 3) || !fits(of_mu, mu_stride, 1))
            throw py::value_error("A, b and mu must be of as many contacts, or of one");
    }

    rigid::ContactProblem operator[](std::size_t i) const {
        const double* const a = A + A_stride * i;
        const double* const v = b + b_stride * i;
        return {{a[0], a[1], a[2], a[4], a[5], a[8]}, {v[0], v[1], v[2]}, mu[mu_stride * i]};
    }
};

/// A block of contacts as the library wants it; the memory is used again for the next block.
struct Block {
    rigid::Contacts contacts;
    rigid::Impulses impulses;

    void fill(const Given& given, std::size_t begin, std::size_t size) {
        rigid::Contacts& c = contacts;
        for (auto* each : {&c.A_nn, &c.A_nt, &c.A_no, &c.A_tt, &c.A_to, &c.A_oo, &c.b_n, &c.b_t,
                           &c.b_o, &c.mu, &impulses.n, &impulses.t, &impulses.o})
            each->resize(size);
        for (std::size_t i = 0; i < size; ++i) {
            const auto [A, b, mu] = given[begin + i];
            c.A_nn[i] = A.nn;
            c.A_nt[i] = A.nt;
            c.A_no[i] = A.no;
            c.A_tt[i] = A.tt;
            c.A_to[i] = A.to;
            c.A_oo[i] = A.oo;
            c.b_n[i] = b.n;
            c.b_t[i] = b.t;
            c.b_o[i] = b.o;
            c.mu[i] = mu;
        }
    }

    void solve(double* to) {
        rigid::maximum_dissipation(contacts.arrays(), {impulses.n, impulses.t, impulses.o});
        for (std::size_t i = 0; i < impulses.size(); ++i) {
            *to++ = impulses.n[i];
            *to++ = impulses.t[i];
            *to++ = impulses.o[i];
        }
    }
};

/// Calls `work(begin, end)` for blocks of the contacts on all threads, until it is stopped.
void for_each_block(std::size_t count, int threads,
                    const std::function<void(std::size_t begin, std::size_t end)>& work) {
    in_background([&](const std::function<bool()>& stop) {
        core::parallel_for(
            (count + block - 1) / block, threads,
            [&](std::size_t part) { work(part * block, std::min((part + 1) * block, count)); },
            stop);
    });
}

py::array_t<double> maximum_dissipation(const Numbers& A, const Numbers& b, const Numbers& mu,
                                        std::size_t count, int threads) {
    const Given given(A, b, mu, count);
    Buffer<double> impulses(3 * count);
    for_each_block(count, threads, [&](std::size_t begin, std::size_t end) {
        thread_local Block memory;
        memory.fill(given, begin, end - begin);
        memory.solve(impulses.data() + 3 * begin);
    });
    return std::move(impulses).to_array({static_cast<py::ssize_t>(count), 3});
}

std::size_t longest_branch() {
    using rigid::Branch;
    return longest_word({Branch::separate, Branch::frictionless, Branch::stick, Branch::slide});
}

/// counts (N), impulses (N, 6, 3) with NaN behind the last, branches (N, 6): words, continuum (N).
py::tuple coulomb_solutions(const Numbers& A, const Numbers& b, const Numbers& mu,
                            std::size_t count, int threads) {
    const Given given(A, b, mu, count);
    constexpr std::size_t most = std::tuple_size_v<decltype(rigid::CoulombSolutions::solution)>;
    Buffer<std::int64_t> counts(count);
    Buffer<double> impulses(3 * most * count);
    WordBuffer branches(most * count, longest_branch());
    Buffer<bool> continuum(count);
    for_each_block(count, threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const rigid::CoulombSolutions found = rigid::coulomb_solutions(given[i]);
            counts[i] = static_cast<std::int64_t>(found.count);
            continuum[i] = found.continuum;
            for (std::size_t k = 0; k < most; ++k) {
                const bool is_there = k < found.count;
                constexpr rigid::ContactVector none{io::no_number, io::no_number, io::no_number};
                const rigid::ContactVector x = is_there ? found.solution[k].impulse : none;
                const std::size_t at = most * i + k;
                impulses[3 * at] = x.n;
                impulses[3 * at + 1] = x.t;
                impulses[3 * at + 2] = x.o;
                branches.set(at, is_there ? rigid::to_string(found.solution[k].branch) : "");
            }
        }
    });
    const auto n = static_cast<py::ssize_t>(count);
    const auto m = static_cast<py::ssize_t>(most);
    return py::make_tuple(std::move(counts).to_array({n}), std::move(impulses).to_array({n, m, 3}),
                          std::move(branches).to_array({n, m}), std::move(continuum).to_array({n}));
}

}  // namespace

void add_rigid_contacts(py::module_& module) {
    module.def("maximum_dissipation", &maximum_dissipation, "A"_a, "b"_a, "mu"_a, "count"_a,
               "threads"_a);
    module.def("coulomb_solutions", &coulomb_solutions, "A"_a, "b"_a, "mu"_a, "count"_a,
               "threads"_a);
}

}  // namespace stoss::python
