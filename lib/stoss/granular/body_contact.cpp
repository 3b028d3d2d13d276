#include <stoss/granular/body_contact.hpp>

#include <stoss/rigid/coulomb.hpp>

namespace stoss::granular {

namespace {

using Eigen::Vector3d;

/// What one body adds to A: (1/m) 1 + (arm x)^T I^-1 (arm x) in the frame n, t, o.
rigid::ContactMatrix mobility(const BodyMotion& body, const Vector3d& arm, const Vector3d& n,
                              const Vector3d& t, const Vector3d& o) {
    const Vector3d c_n = arm.cross(n), c_t = arm.cross(t), c_o = arm.cross(o);
    const Vector3d w_n = body.inverse_inertia * c_n, w_t = body.inverse_inertia * c_t,
                   w_o = body.inverse_inertia * c_o;
    return {body.inverse_mass + c_n.dot(w_n), c_n.dot(w_t), c_n.dot(w_o),
            body.inverse_mass + c_t.dot(w_t), c_t.dot(w_o), body.inverse_mass + c_o.dot(w_o)};
}

rigid::ContactMatrix operator+(const rigid::ContactMatrix& a, const rigid::ContactMatrix& b) {
    return {a.nn + b.nn, a.nt + b.nt, a.no + b.no, a.tt + b.tt, a.to + b.to, a.oo + b.oo};
}

rigid::ContactVector in_frame(const BodyContact& contact, const Vector3d& x) {
    return {contact.n.dot(x), contact.t.dot(x), contact.o.dot(x)};
}

rigid::ContactVector solution(const BodyContact& contact, double mu,
                              const rigid::ContactVector& b) {
    return contact.friction == Friction::coulomb
               ? rigid::coulomb_impulse({contact.prepared.matrix(), b, mu})
               : contact.prepared.solve(b).impulse;
}

}  // namespace

BodyContact::BodyContact(const Vector3d& normal, double gap_term, const Vector3d& first_arm,
                         const Vector3d& second_arm, const BodyMotion& first_body,
                         const BodyMotion& second_body, double mu, Friction model,
                         std::uint32_t place)
    : n(normal),
      t(n.unitOrthogonal()),
      o(n.cross(t)),
      first(first_arm),
      second(second_arm),
      shift(gap_term),
      prepared(mobility(first_body, first, n, t, o) + mobility(second_body, second, n, t, o), mu),
      pair(place),
      friction(model) {}

Vector3d relaxed(const BodyContact& contact, double mu, const Vector3d& x, const Vector3d& dv) {
    rigid::ContactVector b =
        contact.prepared.matrix() * in_frame(contact, x) - in_frame(contact, dv);
    b.n -= contact.shift;
    const rigid::ContactVector wanted = solution(contact, mu, b);
    return wanted.n * contact.n + wanted.t * contact.t + wanted.o * contact.o;
}

}  // namespace stoss::granular
