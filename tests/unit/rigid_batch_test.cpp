#include <stoss/rigid/batch.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <random_contacts.hpp>

namespace {

using namespace stoss::rigid;
using stoss::tests::ContactKind;
using stoss::tests::RandomContacts;

/// Contacts of every kind and their impulses, as a structure of arrays.
struct Contacts {
    std::vector<ContactProblem> problems;
    std::array<std::vector<double>, 10> fields;
    std::array<std::vector<double>, 3> impulses;

    explicit Contacts(std::size_t count) {
        RandomContacts random(count);
        for (std::size_t i = 0; i < count; ++i) add(random(ContactKind(i % 14)));
    }
    void add(const ContactProblem& p) {
        problems.push_back(p);
        const std::array<double, 10> all{p.A.nn, p.A.nt, p.A.no, p.A.tt, p.A.to,
                                         p.A.oo, p.b.n,  p.b.t,  p.b.o,  p.mu};
        for (std::size_t k = 0; k < 10; ++k) fields[k].push_back(all[k]);
        for (auto& impulse : impulses) impulse.push_back(0.0);
    }
    ContactArrays arrays() const {
        return {fields[0], fields[1], fields[2], fields[3], fields[4],
                fields[5], fields[6], fields[7], fields[8], fields[9]};
    }
    ImpulseArrays results() { return {impulses[0], impulses[1], impulses[2]}; }
};

/// -0 and 0 differ, all NaN are alike.
bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}

void expect_the_scalar_bits(const Contacts& contacts, std::size_t i, std::size_t at) {
    const ContactVector x = maximum_dissipation(contacts.problems[i]).impulse;
    EXPECT_TRUE(same_bits(contacts.impulses[0][at], x.n)) << "contact " << i;
    EXPECT_TRUE(same_bits(contacts.impulses[1][at], x.t)) << "contact " << i;
    EXPECT_TRUE(same_bits(contacts.impulses[2][at], x.o)) << "contact " << i;
}

TEST(ContactBatch, SolvesEachContactAsTheScalarDoesBitByBit) {
    for (const std::size_t count : {0u, 1u, 7u, 8u, 15u, 2800u}) {
        Contacts contacts(count);
        EXPECT_EQ(maximum_dissipation(contacts.arrays(), contacts.results()), 0u);
        for (std::size_t i = 0; i < count; ++i) expect_the_scalar_bits(contacts, i, i);
    }
}

TEST(ContactBatch, CountsWhatIsNoContactAndSolvesTheRest) {
    Contacts contacts(20);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    contacts.add({{1, 2, 0, 1, 0, 1}, {1, 0, 0}, .5});
    contacts.add({{1, 0, 0, 1, 0, 1}, {nan, 0, 0}, .5});
    contacts.add({{1, 0, 0, 1, 0, 1}, {1, 0, 0}, -.5});
    contacts.add({{-1, 0, 0, -1, 0, -1}, {1, 0, 0}, .5});
    contacts.add({{1, 0, 0, 1, 0, 1}, {1, 0, 0}, .5});
    EXPECT_EQ(maximum_dissipation(contacts.arrays(), contacts.results()), 4u);
    for (std::size_t i = 0; i < contacts.problems.size(); ++i) {
        expect_the_scalar_bits(contacts, i, i);
        EXPECT_EQ(std::isnan(contacts.impulses[0][i]), i >= 20 && i < 24);
    }
}

TEST(ContactBatch, RefusesAnIndefiniteMatrixInEveryLane) {
    Contacts contacts(0);
    for (int i = 0; i < 16; ++i) contacts.add({{1, 0, -.5, 1, 0, -1}, {1, 0, -.5}, .5});
    EXPECT_EQ(maximum_dissipation(contacts.arrays(), contacts.results()), 16u);
    for (const double impulse : contacts.impulses[0]) EXPECT_TRUE(std::isnan(impulse));
}

TEST(PreparedContacts, SolveAnyRangeAsTheScalarDoesBitByBit) {
    Contacts contacts(1003);
    const PreparedContacts prepared(contacts.arrays());
    EXPECT_EQ(prepared.size(), 1003u);
    for (const auto& range : {std::pair{0u, 1003u}, {5u, 500u}, {998u, 5u}}) {
        const std::size_t begin = range.first, count = range.second;
        const auto part = [&](std::size_t field) {
            return std::span<const double>(contacts.fields[field]).subspan(begin, count);
        };
        EXPECT_EQ(
            prepared.maximum_dissipation(begin, part(6), part(7), part(8), contacts.results()), 0u);
        for (std::size_t i = 0; i < count; ++i) expect_the_scalar_bits(contacts, begin + i, i);
    }
}

TEST(PreparedContact, SolvesAsTheUnpreparedDoesBitByBit) {
    RandomContacts random(11);
    for (int i = 0; i < 1400; ++i) {
        const ContactProblem problem = random(ContactKind(i % 14));
        const PreparedContact prepared(problem.A, problem.mu);
        const ContactVector x = prepared.solve(problem.b).impulse;
        EXPECT_EQ(x, maximum_dissipation(problem).impulse);
    }
}

TEST(SphereContact, IsTheClosedFormOfMaximumDissipation) {
    RandomContacts random(12);
    for (int i = 0; i < 1000; ++i) {
        ContactProblem problem = random(ContactKind(i % 2));
        if (i % 10 == 0) problem.b.n = -problem.b.n;
        if (i % 10 == 1) problem.mu = 0.0;
        if (i % 10 == 2) problem.b.t = problem.b.o = 0.0;
        const SphereContact spheres{1 / problem.A.nn, 1 / problem.A.tt, problem.mu};
        const ContactVector x = spheres.impulse(problem.b);
        const ContactVector exact = maximum_dissipation(problem).impulse;
        const double scale = 1e-15 * std::sqrt(dot(exact, exact));
        EXPECT_NEAR(x.n, exact.n, scale);
        EXPECT_NEAR(x.t, exact.t, 4 * scale);
        EXPECT_NEAR(x.o, exact.o, 4 * scale);
    }
}

}  // namespace
