// The contact force of contact::DampedPowers for any number type Real: double, or a vector of
// doubles (one contact a lane). Not a header: included after time/detail/collocation.inl and
// contact/detail/power_by_roots.inl, where sqrt is known too. The order of the operations is that
// of the laws in contact/laws, whose bits it gives.

/// x^p and its derivative.
template <class Real>
struct PowerPoint {
    Real value, slope;
};

template <class Real>
STOSS_INLINE PowerPoint<Real> power_point(Real x, double p) {
    if (p == 1.5) {
        const Real root = sqrt(x);
        return {x * root, Real(1.5) * root};
    }
    const Real value = power_by_roots(x, p);
    return {value, Real(p) * value / x};
}

/// Overlap x [m], rate v [m/s].
template <class Real>
struct DampedPowersForce {
    static constexpr bool has_rates = true;
    contact::DampedPowers powers;  ///< but for its stiffness and damping, which are
    Real stiffness, damping;
    Real least;  ///< force [N]: below it the law has released the bodies

    STOSS_INLINE Real force(Real x, Real v) const {
        const Real raw = by_power(power_by_roots(x, powers.exponent), x, v);
        return acting(x, raw, raw);
    }

    STOSS_INLINE LawPoint<Real> point(Real x, Real v) const {
        const PowerPoint<Real> power = power_point(x, powers.exponent);
        const LawPoint<Real> at = by_power(power, x, v);
        return {acting(x, at.force, at.force), acting(x, at.force, at.by_x),
                acting(x, at.force, at.by_v)};
    }

    /// Power [W] that the contact turns into heat.
    STOSS_INLINE Real dissipated_power(Real x, Real v) const {
        const PowerPoint<Real> power = power_point(x, powers.exponent);
        const Real energy = stiffness / Real(powers.exponent + 1.0);
        const Real elastic = energy * power.slope * x + energy * power.value;
        const Real raw = by_power(power.value, x, v);
        const Real lost = (acting(x, raw, raw) - elastic) * v;
        return select(x > Real(0.0), lost, Real(0.0));
    }

  private:
    STOSS_INLINE Real by_power(Real power, Real x, Real v) const {
        switch (powers.term) {
        case contact::DampingTerm::spring:
            return stiffness * power * (Real(1.0) + damping * v);
        case contact::DampingTerm::constant:
            return stiffness * power + damping * v;
        case contact::DampingTerm::power:
            break;
        }
        return stiffness * (power + damping * power_by_roots(x, powers.damping_exponent) * v);
    }
    STOSS_INLINE LawPoint<Real> by_power(const PowerPoint<Real>& power, Real x, Real v) const {
        const Real spring = stiffness * power.value, slope = stiffness * power.slope;
        switch (powers.term) {
        case contact::DampingTerm::spring: {
            const Real factor = Real(1.0) + damping * v;
            return {spring * factor, slope * factor, spring * damping};
        }
        case contact::DampingTerm::constant:
            return {spring + damping * v, slope, damping};
        case contact::DampingTerm::power:
            break;
        }
        const PowerPoint<Real> damper = power_point(x, powers.damping_exponent);
        const Real by_rate = damping * damper.value;
        return {stiffness * (power.value + by_rate * v),
                stiffness * (power.slope + damping * damper.slope * v), stiffness * by_rate};
    }
    /// The value where the law acts, else 0.
    STOSS_INLINE Real acting(Real x, Real raw, Real value) const {
        return select(but(x > Real(0.0), raw < least), value, Real(0.0));
    }
};
