// The pairs of spheres that are near each other, and their blocks and colours.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <utility>

#include <stoss/granular/pair_list.hpp>

namespace {

using namespace stoss::granular;
using Eigen::Vector3d;

stoss::core::Workers one_thread(1);

Spheres cloud(std::size_t count, double edge, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> place(0.0, edge), size(0.5, 1.0);
    Spheres spheres;
    for (std::size_t i = 0; i < count; ++i) {
        const Vector3d x{place(engine), place(engine), place(engine)};
        spheres.add({x, Vector3d::Zero(), Vector3d::Zero(), size(engine), 1.0},
                    static_cast<std::uint32_t>(i));
    }
    return spheres;
}

using Names = std::set<std::pair<std::uint32_t, std::uint32_t>>;

/// Pairs by the numbers of their spheres, the smaller one first.
Names names(const Spheres& spheres, const PairList& list) {
    Names all;
    for (const Pair& pair : list.pairs()) {
        const std::uint32_t a = spheres.id[pair.first];
        const std::uint32_t b = pair.second & wall_bit ? pair.second : spheres.id[pair.second];
        EXPECT_TRUE(all.emplace(std::min(a, b), std::max(a, b)).second) << "listed twice";
    }
    return all;
}

Names by_brute_force(const Spheres& spheres, const std::vector<Wall>& walls, double reach) {
    Names all;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        const double r = spheres.motion[i].radius;
        for (std::size_t j = 0; j < i; ++j) {
            const double gap =
                (spheres.position[i] - spheres.position[j]).norm() - r - spheres.motion[j].radius;
            if (gap < reach) {
                all.emplace(std::min(spheres.id[i], spheres.id[j]),
                            std::max(spheres.id[i], spheres.id[j]));
            }
        }
        for (std::size_t k = 0; k < walls.size(); ++k) {
            if (near(walls[k], spheres.position[i]).distance - r < reach)
                all.emplace(spheres.id[i], wall_bit | static_cast<std::uint32_t>(k));
        }
    }
    return all;
}

TEST(PairList, ListsExactlyThePairsWithinReach) {
    const std::vector<Wall> walls{Plane{}, Block{{5, 5, 5}, {7, 8, 9}}};
    for (const double edge : {0.0, 3.0, 30.0, 1000.0}) {
        Spheres spheres = cloud(700, edge, 1);
        PairList list;
        list.rebuild(spheres, walls, 0.3, one_thread);
        EXPECT_EQ(names(spheres, list), by_brute_force(spheres, walls, 0.3)) << edge;
    }
}

TEST(PairList, ManagesWithoutSpheres) {
    Spheres spheres;
    PairList list;
    list.rebuild(spheres, {}, 0.1, one_thread);
    EXPECT_TRUE(list.pairs().empty());
}

TEST(PairList, BlocksOfOneColourShareNoSphere) {
    Spheres spheres = cloud(6000, 40.0, 2);
    PairList list;
    list.rebuild(spheres, {}, 0.4, one_thread);
    std::size_t busiest = 0;
    for (std::size_t colour = 0; colour < PairList::colours; ++colour) {
        std::map<std::uint32_t, std::size_t> owner;
        std::size_t busy = 0;
        for (std::size_t b = list.colour_begin(colour); b < list.colour_begin(colour + 1); ++b) {
            busy += list.begin(b) < list.begin(b + 1);
            for (std::size_t p = list.begin(b); p < list.begin(b + 1); ++p) {
                for (const std::uint32_t sphere : {list.pairs()[p].first, list.pairs()[p].second})
                    EXPECT_EQ(owner.emplace(sphere, b).first->second, b);
            }
        }
        busiest = std::max(busiest, busy);
    }
    EXPECT_GT(busiest, 10u);  // there was something to share
    EXPECT_EQ(list.colour_begin(PairList::colours), list.blocks());
    EXPECT_EQ(list.begin(list.blocks()), list.pairs().size());
}

TEST(PairList, ImpulsesFollowTheirPairs) {
    Spheres spheres = cloud(500, 15.0, 3);
    const std::vector<Wall> walls{Plane{}};
    PairList list;
    list.rebuild(spheres, walls, 0.3, one_thread);
    // The impulse tells whose it is, and turns round with the pair.
    const auto mark = [&](const Pair& pair) {
        const double a = spheres.id[pair.first] + 1.0;
        if (pair.second & wall_bit) return Vector3d(a, a, 1.0);
        const double b = spheres.id[pair.second] + 1.0;
        return Vector3d(a - b, a * a - b * b, 0.0);
    };
    for (Pair& pair : list.pairs()) pair.impulse = mark(pair);
    const Names before = names(spheres, list);
    std::mt19937 engine(4);
    std::normal_distribution<double> normal(0.0, 0.3);
    for (Vector3d& x : spheres.position) x += Vector3d(normal(engine), normal(engine), 0.0);
    list.rebuild(spheres, walls, 0.3, one_thread);
    std::size_t carried = 0, fresh = 0;
    for (const Pair& pair : list.pairs()) {
        const std::uint32_t a = spheres.id[pair.first];
        const std::uint32_t b = pair.second & wall_bit ? pair.second : spheres.id[pair.second];
        const bool is_old = before.contains({std::min(a, b), std::max(a, b)});
        EXPECT_EQ(pair.impulse, is_old ? mark(pair) : Vector3d::Zero().eval());
        ++(is_old ? carried : fresh);
    }
    EXPECT_GT(carried, 100u);
    EXPECT_GT(fresh, 10u);
}

TEST(PairList, ThreadsListTheSameInTheSameOrder) {
    const std::vector<Wall> walls{Plane{}};
    stoss::core::Workers three_threads(3);
    Spheres spheres = cloud(6000, 40.0, 6), others = spheres;
    PairList list, other;
    list.rebuild(spheres, walls, 0.4, one_thread);
    other.rebuild(others, walls, 0.4, three_threads);
    ASSERT_EQ(list.pairs().size(), other.pairs().size());
    for (std::size_t i = 0; i < list.pairs().size(); ++i) {
        EXPECT_EQ(list.pairs()[i].first, other.pairs()[i].first);
        EXPECT_EQ(list.pairs()[i].second, other.pairs()[i].second);
    }
}

TEST(PairList, SpheresOfOneCellStandTogether) {
    Spheres spheres = cloud(2000, 20.0, 5);
    PairList list;
    list.rebuild(spheres, {}, 0.1, one_thread);
    std::set<std::uint32_t> numbers(spheres.id.begin(), spheres.id.end());
    EXPECT_EQ(numbers.size(), spheres.size());  // a permutation: none lost, none twice
    double way = 0.0;
    for (std::size_t i = 1; i < spheres.size(); ++i)
        way += (spheres.position[i] - spheres.position[i - 1]).norm();
    EXPECT_LT(way / 2000, 4.0);  // two spheres at random are 13 apart
    EXPECT_EQ(spheres.reference, spheres.position);
}

}  // namespace
