// The energetic coefficient of the contact (theory/collision.md 6.16) against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include <stoss/impact/contact_work.hpp>
#include <stoss/modal/modal_body.hpp>

namespace {

using namespace stoss;

struct Struck {
    impact::CollisionResult result;
    double contact = 0.0;
};

/// A body with vibrations, of which none if `vibrations` is 0, falls on a rigid place.
Struck struck(const contact::Law& law, int vibrations, impact::Scheme scheme, double speed = 1.0) {
    modal::ModalBody body = modal::point_mass(0.2);
    for (int j = 1; j <= vibrations; ++j) {
        const double omega = 2e4 * j * j;
        body.eigenvalues.push_back(omega * omega);
        body.damping.push_back(0.0);
        body.phi.push_back(0.8 / std::sqrt(0.2));
    }
    std::vector<double> rates(body.phi.size(), 0.0);
    rates[0] = -speed * std::sqrt(0.2);
    impact::History history(100000);
    const auto result =
        impact::collide({body, rates}, {modal::ModalBody{}, {}},
                        {law, contact::Separation::zero_force}, scheme, 1.0, &history);
    EXPECT_EQ(result.status, impact::Status::separated);
    return {result, impact::contact_restitution(result, history).value()};
}

time::Newmark fine_newmark() {
    time::Newmark scheme;
    scheme.step = 1e-7;
    return scheme;
}

contact::WaltonBraun plastic(double e) {
    contact::WaltonBraun law;
    law.stiffness = 1e7;
    law.restitution = e;
    return law;
}

/// Loading along k_1, unloading along k_2: sqrt(k_1/k_2) whatever the body does, if it touches
/// once.
TEST(ContactWork, OfTwoLinesIsTheRootOfTheirSlopes) {
    for (const int vibrations : {0, 1, 3}) {
        for (const double e : {0.3, 0.7, 0.95}) {
            const Struck one = struck(plastic(e), vibrations, time::Splitting{1e-9});
            ASSERT_EQ(one.result.sub_impacts.size(), 1U) << vibrations << ' ' << e;
            EXPECT_NEAR(one.contact, e, 1e-5) << vibrations;
            if (vibrations == 0)
                EXPECT_NEAR(one.result.cor_energetic, e, 1e-8);
            else
                EXPECT_GT(std::abs(one.result.cor_energetic - e), 5e-3);
        }
    }
}

TEST(ContactWork, OfAnElasticLawIsOne) {
    contact::Hertz law;
    law.stiffness = 1e10;
    const Struck one = struck(law, 3, time::Splitting{1e-8});
    EXPECT_NEAR(one.contact, 1.0, 1e-9);
    EXPECT_LT(one.result.cor_energetic, 0.99);
}

/// Of a rigid body the contact loses what the body loses.
TEST(ContactWork, OfARigidBodyIsTheRestitution) {
    contact::HuntCrossley law;
    law.stiffness = 1e9;
    law.restitution = 0.6;
    EXPECT_NEAR(struck(law, 0, time::Splitting{1e-9}).contact, 0.6, 1e-5);
    EXPECT_NEAR(struck(law, 0, fine_newmark()).contact, 0.6, 1e-4);
}

/// What the contact lost is known at the end only.
TEST(ContactWork, OfBodiesThatDidNotSeparateIsNone) {
    contact::HuntCrossley law;
    law.stiffness = 1e9;
    law.restitution = 0.6;
    impact::History history(1000);
    const modal::ModalBody mass = modal::point_mass(0.2);
    const auto result = impact::collide({mass, {-std::sqrt(0.2)}}, {modal::ModalBody{}, {}},
                                        {law, contact::Separation::zero_force},
                                        time::Splitting{1e-9}, 1e-5, &history);
    ASSERT_EQ(result.status, impact::Status::not_separated);
    EXPECT_FALSE(impact::contact_restitution(result, history));
}

TEST(ContactWork, OfNoWorkIsNone) {
    EXPECT_FALSE(impact::contact_restitution({}, impact::History(10)));
}

}  // namespace
