#include <stoss/granular/compliant_assembly.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

#include <stoss/contact/geometry.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/granular/compliant_contact.hpp>
#include <stoss/granular/contact.hpp>
#include <stoss/granular/grow.hpp>
#include <stoss/granular/state.hpp>

namespace stoss::granular {

namespace {

using Eigen::Vector3d;

// Part of the relative velocity that the damping of a contact may take in a step
// (theory/compliant_spheres.md 16.13). The velocity of (16.2) is predicted, so that the damping of
// all contacts of a sphere together is unstable if it takes more than the whole.
constexpr double most_damping = 0.25;

// Gap, of the radius, below which bodies touch at the start: roundoff of the given places.
constexpr double roundoff_gap = 1e-12;

/// A pair that may touch, from where its bodies are now.
struct Place {
    std::uint32_t first, second;  // places of spheres, or `wall_bit` and a wall
    bool is_wall;
    Vector3d n;
    double overlap;  // [m]
    double reach;    // distance of the centres over the sum of the radii; 1 at a wall
};

/// The contacts of all pairs with one law.
template <contact::ContactLaw L>
class CompliantSpheres final : public CompliantAssembly {
  public:
    CompliantSpheres(const CompliantStepping& stepping, std::vector<Wall> walls, int threads)
        : CompliantAssembly(stepping, std::move(walls), threads) {}

    using CompliantAssembly::contacts;
    void contacts(std::vector<TouchingPair>& to) const override {
        to.clear();
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            if (!contacts_[i]) continue;
            const Contact& contact = *contacts_[i];
            const auto [first, second] = key_of(list_.pairs()[i]);
            to.push_back({first, second, contact.overlap, contact.force, contact.n,
                          contact.tangential_force(), contact.is_sliding});
        }
    }

    std::size_t pressing() const override {
        return static_cast<std::size_t>(
            std::count_if(contacts_.begin(), contacts_.end(),
                          [](const auto& contact) { return contact && contact->force > 0.0; }));
    }

  private:
    using Contact = CompliantContact<L>;
    using Key = std::pair<std::uint32_t, std::uint32_t>;  // numbers of the bodies

    /// Where a contact was in the list before.
    struct Kept {
        Key bodies;
        std::size_t place;
    };

    /// The bodies of a pair by their numbers: the order of two spheres does not change with the
    /// list.
    Key key_of(const Pair& pair) const {
        const std::uint32_t first = spheres_.id[pair.first];
        if (pair.second & wall_bit) return {first, pair.second};
        return std::minmax(first, spheres_.id[pair.second]);
    }

    /// 2 ratio sqrt(m)/dt: the dashpot across the normal over sqrt(k_t), over `dt` of slip.
    double damping(double mobility, double dt) const {
        const auto* const law = std::get_if<contact::SpringSlider>(&stepping_.tangential);
        if (law == nullptr || law->tangential_damping == 0.0 || !(dt > 0.0)) return 0.0;
        return 2.0 * law->tangential_damping / (std::sqrt(mobility) * dt);
    }

    Place place_of(const Pair& pair) const;
    L law_of(const Place& place) const;
    AdhesiveRegion region_of(const Place& place) const;
    Contact made(const Place& place) const;
    double mobility(const Place& place) const;
    double smaller_radius(const Place& place) const;
    double curvature(const Place& place) const;
    typename Contact::Slide slide(const Place& place, const Vector3d& slip, double dt) const;
    double meet(const Place& place, double rate, double dt, Contact& contact) const;
    double damped_share(const Place& place, const Contact& contact, double dt) const;
    void push_apart(const Place& place, std::optional<Contact>& kept, double dt, Tally& tally);
    void resist_rolling(const Place& place, const Vector3d& torque);
    void apply_forces(std::size_t block, double dt) override;

    double stored_energy() const override {
        double sum = 0.0;
        for (const auto& contact : contacts_) {
            if (contact) sum += contact->stored_energy();
        }
        return sum;
    }
    void keep_contacts() override {
        kept_.clear();
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            if (contacts_[i]) kept_.push_back({key_of(list_.pairs()[i]), i});
        }
        std::ranges::sort(kept_, {}, &Kept::bodies);
        contacts_before_.swap(contacts_);
    }
    void take_contacts() override {
        contacts_.clear();
        resize_with_spare(contacts_, list_.pairs().size());
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            const Key bodies = key_of(list_.pairs()[i]);
            const auto found =
                std::lower_bound(kept_.begin(), kept_.end(), bodies,
                                 [](const Kept& each, Key key) { return each.bodies < key; });
            if (found != kept_.end() && found->bodies == bodies)
                contacts_[i] = std::move(contacts_before_[found->place]);
        }
        contacts_before_.clear();
    }

    /// Which pairs touch, and how.
    void write_contacts(std::vector<double>& state) const override {
        for (const auto& contact : contacts_) {
            state.push_back(contact ? 1.0 : 0.0);
            if (contact) contact->write(state);
        }
    }
    void read_contacts(std::span<const double>& state) override {
        contacts_.assign(list_.pairs().size(), std::nullopt);
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            if (take(state) == 0.0) continue;
            contacts_[i].emplace(made(place_of(list_.pairs()[i])));
            contacts_[i]->read(state);
        }
    }

    std::vector<std::optional<Contact>> contacts_;         // of each pair
    std::vector<std::optional<Contact>> contacts_before_;  // while pairs are listed
    std::vector<Kept> kept_;                               // of them, by the numbers of the bodies
};

template <contact::ContactLaw L>
Place CompliantSpheres<L>::place_of(const Pair& pair) const {
    const double r = spheres_.motion[pair.first].radius;
    if (pair.second & wall_bit) {
        const Nearness nearness =
            near(walls_[pair.second & ~wall_bit], spheres_.position[pair.first]);
        return {pair.first, pair.second, true, nearness.normal, r - nearness.distance, 1.0};
    }
    Place place{pair.first, pair.second, false, Vector3d::Zero(), 0.0, 1.0};
    if (spheres_.id[place.first] > spheres_.id[place.second]) std::swap(place.first, place.second);
    place.n = spheres_.position[place.first] - spheres_.position[place.second];
    const double distance = place.n.norm(), radii = r + spheres_.motion[pair.second].radius;
    place.n /= distance;
    place.overlap = radii - distance;
    place.reach = distance / radii;
    return place;
}

/// The law of a pair, with all of its numbers.
template <contact::ContactLaw L>
L CompliantSpheres<L>::law_of(const Place& place) const {
    const Compliance& kind = place.is_wall ? stepping_.walls : stepping_.spheres;
    const contact::Law& law =
        place.is_wall && stepping_.wall_law ? *stepping_.wall_law : stepping_.law;
    return std::get<L>(law_of_pair(law, kind.modulus, 1.0 / curvature(place)));
}

template <contact::ContactLaw L>
AdhesiveRegion CompliantSpheres<L>::region_of(const Place& place) const {
    if constexpr (HasAdhesiveRegion<L>) return adhesive_region(law_of(place));
    return {};
}

/// 1/m of the relative motion along the normal [1/kg].
template <contact::ContactLaw L>
double CompliantSpheres<L>::mobility(const Place& place) const {
    const double own = spheres_.motion[place.first].inverse_mass;
    return place.is_wall ? own : own + spheres_.motion[place.second].inverse_mass;
}

/// Of the spheres of a pair [m].
template <contact::ContactLaw L>
double CompliantSpheres<L>::smaller_radius(const Place& place) const {
    const double own = spheres_.motion[place.first].radius;
    return place.is_wall ? own : std::min(own, spheres_.motion[place.second].radius);
}

/// 1/R* [1/m].
template <contact::ContactLaw L>
double CompliantSpheres<L>::curvature(const Place& place) const {
    const double own = 1.0 / spheres_.motion[place.first].radius;
    return place.is_wall ? own : own + 1.0 / spheres_.motion[place.second].radius;
}

/// R* times the rotation of the first body against the second in `dt`.
template <contact::ContactLaw L>
typename CompliantSpheres<L>::Contact::Slide CompliantSpheres<L>::slide(const Place& place,
                                                                        const Vector3d& slip,
                                                                        double dt) const {
    const Motion& first = spheres_.motion[place.first];
    Vector3d rotation = first.u / first.radius;
    if (!place.is_wall) {
        const Motion& second = spheres_.motion[place.second];
        rotation -= second.u / second.radius;
    }
    rotation *= dt / curvature(place);
    const double twist = place.n.dot(rotation);
    return {slip, rotation - twist * place.n, twist};
}

/// The contact of a pair that has not touched yet.
template <contact::ContactLaw L>
CompliantContact<L> CompliantSpheres<L>::made(const Place& place) const {
    const Compliance& kind = place.is_wall ? stepping_.walls : stepping_.spheres;
    Contact contact{
        contact::Contact<L>(law_of(place), stepping_.separation, 1.0 / mobility(place))};
    if (const auto* const law = std::get_if<contact::PartialSlip>(&stepping_.tangential))
        contact.across.template emplace<contact::RingSprings>(kind.tangential_share, kind.mu,
                                                              static_cast<std::size_t>(law->rings));
    if (kind.resistance.is_there()) contact.rolling.emplace(kind.resistance);
    return contact;
}

/// Begins a contact and returns its overlap [m]. One that is there at the start begins with the
/// speed at which its bodies would have met without losses (16.14); if the law attracts, it holds
/// bodies that touch but for roundoff.
template <contact::ContactLaw L>
double CompliantSpheres<L>::meet(const Place& place, double rate, double dt,
                                 Contact& contact) const {
    const double x = place.overlap;
    if (dt > 0.0) {
        contact.normal.accept(0.0, rate);
        return x;
    }
    const double least = roundoff_gap * spheres_.motion[place.first].radius;
    const bool is_held =
        std::abs(x) < least && rate <= 0.0 && contact.normal.unlimited_force(least, 0.0) < 0.0;
    const double stored = std::max(0.0, contact.normal.stored_energy(x));
    contact.normal.accept(0.0, std::sqrt(rate * rate + 2.0 * mobility(place) * stored));
    return is_held ? least : x;
}

/// Part of the rate that the law sees: 1, or less where its damping c would exceed `most_damping`.
template <contact::ContactLaw L>
double CompliantSpheres<L>::damped_share(const Place& place, const Contact& contact,
                                         double dt) const {
    if constexpr (L::is_elastic) return 1.0;
    const double c =
        contact.normal.force(core::Dual(place.overlap), core::Dual::variable(0.0)).derivative;
    const double taken = c * mobility(place) * dt;
    return taken > most_damping ? most_damping / taken : 1.0;
}

/// Applies the forces of one pair to its bodies and updates its contact.
template <contact::ContactLaw L>
void CompliantSpheres<L>::push_apart(const Place& place, std::optional<Contact>& kept, double dt,
                                     Tally& tally) {
    static const Motion wall;
    static const Rate rest;
    const Motion& first = spheres_.motion[place.first];
    const Motion& second = place.is_wall ? wall : spheres_.motion[place.second];
    const Rate& first_rate = rates_[place.first];
    const Rate& second_rate = place.is_wall ? rest : rates_[place.second];
    // The law sees the end of the step: velocities are those of its middle and half a step more.
    const Vector3d closing = first.v - second.v + 0.5 * dt * (first_rate.v - second_rate.v);
    const double closing_rate = -place.n.dot(closing);
    const bool is_new = !kept;
    if (is_new) kept.emplace(made(place));
    const double x = is_new ? meet(place, closing_rate, dt, *kept) : place.overlap;
    Contact& contact = *kept;
    const Compliance& kind = place.is_wall ? stepping_.walls : stepping_.spheres;
    const double share_of_rate = damped_share(place, contact, dt);
    const double rate = share_of_rate * closing_rate;

    const bool is_over =
        !(x > contact.normal.threshold()) && (x < 0.0 || (x == 0.0 && rate <= 0.0));
    const double force = contact.normal.force(x, rate);
    const double power = contact.normal.dissipated_power(x, rate) / share_of_rate;
    tally.normal_loss += 0.5 * dt * (contact.power + power) + contact.normal.accept(x, rate);

    // The springs see the middle of the step.
    const Vector3d n_before = is_new ? place.n : contact.n;
    const Vector3d middle = (n_before + place.n).normalized();
    const double reach = 0.5 * (is_new ? 2.0 * place.reach : contact.reach + place.reach);
    const Vector3d relative = first.v - second.v + reach * middle.cross(first.u + second.u);
    const double since =
        is_new && closing_rate > 0.0 ? std::min(dt, std::max(x, 0.0) / closing_rate) : dt;
    const Vector3d slip = since * (relative - middle.dot(relative) * middle);
    const double spin = middle.dot(first.u) / first.radius +
                        (place.is_wall ? 0.0 : middle.dot(second.u) / second.radius);
    contact.turn(n_before, place.n, 0.5 * dt * spin);
    const AdhesiveRegion region = is_over ? AdhesiveRegion{} : region_of(place);
    const bool carries = region.is_there() || (force > 0.0 && x > 0.0);
    const double share = carries ? kind.tangential_share : 0.0;
    tally.friction_loss += contact.slide(slide(place, slip, since), x, force,
                                         {share, kind.mu, damping(mobility(place), since)}, region);
    contact.n = place.n;
    contact.reach = place.reach;
    contact.force = force;
    contact.power = contact.normal.released() ? 0.0 : power;
    tally.deepest = std::max(tally.deepest, x);
    tally.deepest_share = std::max(tally.deepest_share, x / smaller_radius(place));

    const Vector3d on_first = force * place.n + contact.tangential_force();
    const Vector3d turning = spin_gain * place.reach * place.n.cross(on_first);
    next_rates_[place.first].v += first.inverse_mass * on_first;
    next_rates_[place.first].u -= first.inverse_mass * turning;
    if (!place.is_wall) {
        next_rates_[place.second].v -= second.inverse_mass * on_first;
        next_rates_[place.second].u -= second.inverse_mass * turning;
    }
    if (contact.rolling) resist_rolling(place, contact.rolling->torque(place.n));
    if (is_over) kept.reset();
}

/// A couple on the two bodies: `torque` [N] over R* on the first one.
template <contact::ContactLaw L>
void CompliantSpheres<L>::resist_rolling(const Place& place, const Vector3d& torque) {
    const Vector3d couple = spin_gain / curvature(place) * torque;
    const Motion& first = spheres_.motion[place.first];
    next_rates_[place.first].u += first.inverse_mass / first.radius * couple;
    if (place.is_wall) return;
    const Motion& second = spheres_.motion[place.second];
    next_rates_[place.second].u -= second.inverse_mass / second.radius * couple;
}

template <contact::ContactLaw L>
void CompliantSpheres<L>::apply_forces(std::size_t block, double dt) {
    Tally& tally = tallies_[block];
    const double touching = dt > 0.0 ? 0.0 : roundoff_gap;
    for (std::size_t i = list_.begin(block); i < list_.begin(block + 1); ++i) {
        const Place place = place_of(list_.pairs()[i]);
        if (contacts_[i] || place.overlap >= -touching * spheres_.motion[place.first].radius)
            push_apart(place, contacts_[i], dt, tally);
    }
}

}  // namespace

contact::Law law_of_pair(contact::Law law, std::optional<double> modulus, double effective_radius) {
    if (!modulus) return law;
    const contact::ContactBodies bodies{*modulus, effective_radius,
                                        contact::hertz_stiffness(*modulus, effective_radius)};
    std::visit([&](auto& each) { contact::set_from_bodies(each, bodies); }, law);
    return law;
}

CompliantAssembly::CompliantAssembly(const CompliantStepping& stepping, std::vector<Wall> walls,
                                     int threads)
    : stepping_(stepping), walls_(std::move(walls)), workers_(threads) {
    if (std::holds_alternative<contact::Smooth>(stepping_.tangential))
        stepping_.spheres.tangential_share = stepping_.walls.tangential_share = 0.0;
}

void CompliantAssembly::add(const Sphere& sphere) {
    spheres_.add(sphere, static_cast<std::uint32_t>(spheres_.size()));
    rates_.emplace_back();
    next_rates_.emplace_back();
}

/// Lists the pairs; the rates stay with their spheres, which are sorted anew.
void CompliantAssembly::list_pairs() {
    keep_contacts();
    for (std::size_t i = 0; i < rates_.size(); ++i) next_rates_[spheres_.id[i]] = rates_[i];
    list_.rebuild(spheres_, walls_, stepping_.skin, workers_);
    for (std::size_t i = 0; i < rates_.size(); ++i) rates_[i] = next_rates_[spheres_.id[i]];
    tallies_.resize(list_.blocks());
    take_contacts();
}

/// Rates from where the spheres are now; velocities are those in the middle of the step.
void CompliantAssembly::evaluate(double dt) {
    for (Rate& rate : next_rates_) rate = {stepping_.gravity, Vector3d::Zero()};
    std::fill(tallies_.begin(), tallies_.end(), Tally{});
    list_.by_colours(workers_, [&](std::size_t block) { apply_forces(block, dt); });
    rates_.swap(next_rates_);
    deepest_overlap_ = deepest_share_ = 0.0;
    for (const Tally& tally : tallies_) {
        normal_loss_ += tally.normal_loss;
        friction_loss_ += tally.friction_loss;
        deepest_overlap_ = std::max(deepest_overlap_, tally.deepest);
        deepest_share_ = std::max(deepest_share_, tally.deepest_share);
    }
}

/// Half a step of the velocities.
void CompliantAssembly::kick() {
    const double half = 0.5 * stepping_.step;
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
        spheres_.motion[i].v += half * rates_[i].v;
        spheres_.motion[i].u += half * rates_[i].u;
    }
}

void CompliantAssembly::begin() {
    if (has_begun_) return;
    list_pairs();
    evaluate(0.0);
    has_begun_ = true;
}

bool CompliantAssembly::step() {
    begin();
    kick();
    double farthest = 0.0;
    for (std::size_t i = 0; i < spheres_.size(); ++i) {
        spheres_.position[i] += stepping_.step * spheres_.motion[i].v;
        const double way = (spheres_.position[i] - spheres_.reference[i]).squaredNorm();
        farthest = std::max(farthest, std::isfinite(way) ? way : core::infinity);
    }
    if (!std::isfinite(farthest)) return false;
    if (2.0 * std::sqrt(farthest) > stepping_.skin) list_pairs();
    evaluate(stepping_.step);
    kick();
    ++steps_;
    return true;
}

CompliantEnergy CompliantAssembly::energy() const {
    CompliantEnergy energy;
    const Energy of_bodies = energy_of(spheres_, {}, stepping_.gravity);
    energy.translation = of_bodies.translation;
    energy.rotation = of_bodies.rotation;
    energy.potential = of_bodies.potential;
    energy.stored = stored_energy();
    energy.normal_loss = normal_loss_;
    energy.friction_loss = friction_loss_;
    return energy;
}

// Counts are below 2^53 and exact as doubles.
std::vector<double> CompliantAssembly::state() const {
    std::vector<double> state{static_cast<double>(steps_),
                              has_begun_ ? 1.0 : 0.0,
                              normal_loss_,
                              friction_loss_,
                              deepest_overlap_,
                              deepest_share_};
    spheres_.write(state);
    for (const Rate& rate : rates_) {
        put(state, rate.v);
        put(state, rate.u);
    }
    list_.write(state);
    write_contacts(state);
    return state;
}

void CompliantAssembly::restore(std::span<const double> state) {
    steps_ = static_cast<std::size_t>(take(state));
    has_begun_ = take(state) != 0.0;
    normal_loss_ = take(state);
    friction_loss_ = take(state);
    deepest_overlap_ = take(state);
    deepest_share_ = take(state);
    spheres_.read(state);
    rates_.resize(spheres_.size());
    next_rates_.resize(spheres_.size());
    for (Rate& rate : rates_) {
        take(state, rate.v);
        take(state, rate.u);
    }
    list_.read(state);
    tallies_.resize(list_.blocks());
    read_contacts(state);
}

std::unique_ptr<CompliantAssembly> compliant_assembly(const CompliantStepping& stepping,
                                                      std::vector<Wall> walls, int threads) {
    return std::visit(
        [&]<class L>(const L&) -> std::unique_ptr<CompliantAssembly> {
            if constexpr (std::is_trivially_copyable_v<L>) {
                return std::make_unique<CompliantSpheres<L>>(stepping, std::move(walls), threads);
            } else {  // each contact has a copy of its law, which would be that of a table
                core::throw_if_any(
                    {{"law", std::string(L::name),
                      "cannot be used between spheres: its parameters are not only numbers",
                      "write it in C++, as a contact law in a header of its own"}});
                return nullptr;
            }
        },
        stepping.law);
}

}  // namespace stoss::granular
