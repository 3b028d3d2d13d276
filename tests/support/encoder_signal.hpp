#pragma once
/// The angle of a beam that turns, strikes and vibrates, in closed form.

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace stoss::tests {

/// Free rotation at `omega_before`, then at `-cor omega_before` with a vibration that dies away.
/// `contact` is for a motion without friction, torque and vibration.
struct EncoderSignal {
    double omega_before = -3.0;  ///< [rad/s]
    double cor = 0.5;
    double impact = 0.3;            ///< [s]
    double length = 0.8;            ///< [s]
    double rate = 2000.0;           ///< [Hz]
    double pulses = 2000.0;         ///< per revolution; 0: the angle is not counted
    double offset = 1.234;          ///< [rad]
    double dry_friction = 0.0;      ///< [rad/s^2]
    double viscous_friction = 0.0;  ///< [1/s]
    double acceleration = 0.0;      ///< by a constant torque [rad/s^2]
    double vibration = 6e-3;        ///< amplitude [rad]
    double frequency = 151.0;       ///< [Hz]
    double decay = 7.0;             ///< [1/s]
    double contact = 0.0;           ///< duration of a constant torque that turns the motion [s]

    double resolution() const { return pulses > 0.0 ? 2.0 * std::numbers::pi / pulses : 0.0; }
    std::size_t samples() const { return static_cast<std::size_t>(length * rate); }
    double time(std::size_t i) const { return static_cast<double>(i) / rate; }

    double angle(double time) const {
        const double s = time - impact, half = 0.5 * contact;
        if (std::abs(s) < half) {
            const double change = -(1.0 + cor) * omega_before;
            return offset + omega_before * s + change * (s + half) * (s + half) / (4.0 * half);
        }
        if (s < 0.0) return offset + rotation(omega_before, s);
        return offset + rotation(-cor * omega_before, s) +
               vibration * std::exp(-decay * s) * std::sin(2.0 * std::numbers::pi * frequency * s);
    }

    std::int64_t counts(std::size_t i) const {
        return static_cast<std::int64_t>(std::floor(angle(time(i)) / resolution()));
    }

    std::vector<double> times() const {
        std::vector<double> result;
        for (std::size_t i = 0; i < samples(); ++i) result.push_back(time(i));
        return result;
    }

    std::vector<double> angles() const {
        std::vector<double> result;
        for (std::size_t i = 0; i < samples(); ++i) {
            result.push_back(pulses > 0.0 ? resolution() * static_cast<double>(counts(i))
                                          : angle(time(i)));
        }
        return result;
    }

  private:
    /// d omega/dt = acceleration - dry sign(omega) - viscous omega, while the sign does not change.
    double rotation(double omega, double s) const {
        const double push = acceleration - (omega > 0.0 ? dry_friction : -dry_friction);
        if (viscous_friction == 0.0) return omega * s + 0.5 * push * s * s;
        const double last = push / viscous_friction;  // velocity in the end
        return last * s - (omega - last) * std::expm1(-viscous_friction * s) / viscous_friction;
    }
};

}  // namespace stoss::tests
