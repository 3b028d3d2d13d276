// Rigid contacts with friction, over arrays of any leading shape.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <stoss/core/fields.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/rigid/contacts.hpp>
#include <stoss/rigid/coulomb.hpp>

#include "background.hpp"
#include "convert.hpp"
#include "module.hpp"

namespace stoss::python {

namespace {

using namespace pybind11::literals;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

constexpr std::size_t block = 4096;  // contacts whose structure of arrays stays in the cache

/// Contacts as Python has them: A (N, 3, 3), b (N, 3), mu (N), in the order normal, t, o.
struct Given {
    const double *A, *b, *mu;
    std::size_t count;

    Given(const Numbers& of_A, const Numbers& of_b, const Numbers& of_mu)
        : A(of_A.data()),
          b(of_b.data()),
          mu(of_mu.data()),
          count(static_cast<std::size_t>(of_mu.size())) {}

    rigid::ContactProblem operator[](std::size_t i) const {
        const double* const a = A + 9 * i;
        const double* const v = b + 3 * i;
        return {{a[0], a[1], a[2], a[4], a[5], a[8]}, {v[0], v[1], v[2]}, mu[i]};
    }
};

py::array_t<double> maximum_dissipation(const Numbers& A, const Numbers& b, const Numbers& mu,
                                        int threads) {
    const Given given(A, b, mu);
    std::vector<double> impulses(3 * given.count);
    in_background(
        [&](const std::function<bool()>& stop) {
            core::parallel_for((given.count + block - 1) / block, threads,
                               [&](std::size_t part) {
                                   const std::size_t begin = part * block;
                                   const std::size_t size = std::min(block, given.count - begin);
                                   rigid::Contacts contacts;
                                   for (std::size_t i = 0; i < size; ++i)
                                       contacts.add(given[begin + i]);
                                   const rigid::Impulses x =
                                       rigid::maximum_dissipation(contacts, 1);
                                   for (std::size_t i = 0; i < size; ++i) {
                                       double* const to = impulses.data() + 3 * (begin + i);
                                       to[0] = x.n[i];
                                       to[1] = x.t[i];
                                       to[2] = x.o[i];
                                   }
                               },
                               stop);
        },
        py::none());
    return to_array(std::move(impulses), {static_cast<py::ssize_t>(given.count), 3});
}

/// counts (N), impulses (N, 6, 3) with NaN behind the last, branches (N, 6), continuum (N).
py::tuple coulomb_solutions(const Numbers& A, const Numbers& b, const Numbers& mu, int threads) {
    const Given given(A, b, mu);
    constexpr std::size_t most = std::tuple_size_v<decltype(rigid::CoulombSolutions::solution)>;
    std::vector<std::int64_t> counts(given.count), branches(most * given.count, -1);
    std::vector<double> impulses(3 * most * given.count, core::not_given);
    std::vector<std::uint8_t> continuum(given.count);
    in_background(
        [&](const std::function<bool()>& stop) {
            core::parallel_for(
                (given.count + block - 1) / block, threads,
                [&](std::size_t part) {
                    const std::size_t end = std::min((part + 1) * block, given.count);
                    for (std::size_t i = part * block; i < end; ++i) {
                        const rigid::CoulombSolutions found = rigid::coulomb_solutions(given[i]);
                        counts[i] = static_cast<std::int64_t>(found.count);
                        continuum[i] = found.continuum;
                        for (std::size_t k = 0; k < found.count; ++k) {
                            const auto& [n, t, o] = found.solution[k].impulse;
                            const std::size_t at = most * i + k;
                            branches[at] = static_cast<std::int64_t>(found.solution[k].branch);
                            std::copy_n(std::array{n, t, o}.begin(), 3,
                                        impulses.begin() + static_cast<std::ptrdiff_t>(3 * at));
                        }
                    }
                },
                stop);
        },
        py::none());
    const auto n = static_cast<py::ssize_t>(given.count);
    const auto m = static_cast<py::ssize_t>(most);
    return py::make_tuple(to_array(std::move(counts)), to_array(std::move(impulses), {n, m, 3}),
                          to_array(std::move(branches), {n, m}), to_array(std::move(continuum)));
}

}  // namespace

void add_rigid_contacts(py::module_& module) {
    module.def("maximum_dissipation", &maximum_dissipation, "A"_a, "b"_a, "mu"_a, "threads"_a);
    module.def("coulomb_solutions", &coulomb_solutions, "A"_a, "b"_a, "mu"_a, "threads"_a);
    py::list words;
    for (const rigid::Branch branch : {rigid::Branch::separate, rigid::Branch::frictionless,
                                       rigid::Branch::stick, rigid::Branch::slide})
        words.append(py::str(std::string(rigid::to_string(branch))));
    module.attr("branches") = words;
}

}  // namespace stoss::python
