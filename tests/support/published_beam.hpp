#pragma once
/// The pinned aluminium beam of J. Appl. Mech. 91(1) 011011 (2024).

#include <models/beam_model.hpp>
#include <published_mesh.hpp>

namespace stoss {

inline models::BeamCollision published_beam() {
    models::BeamCollision parameters;
    parameters.mesh = tests::published_mesh();
    parameters.beam.length = 0.508;
    parameters.beam.section.shape = models::Circle{6.35e-3};
    parameters.beam.material = {68.3e9, 0.34, 2710.0};
    parameters.beam.supports = {{models::SupportType::pin, 0.0375}};
    parameters.striker.shape = models::Cylinder{6.35e-3};
    parameters.striker.material = {68.3e9, 0.34};
    parameters.motion.angular_velocity = -6.0;
    return parameters;
}

inline models::BeamCollision published_beam(time::ForceEvaluation force, double step) {
    models::BeamCollision parameters = published_beam();
    time::Newmark scheme;
    scheme.force = force;
    scheme.step = step;
    parameters.integration.scheme = scheme;
    return parameters;
}

/// The same with `modes` modes on a mesh that carries them (elements: a multiple of 80, for a node
/// at the pin; at least three to a mode).
inline void resolve_modes(models::BeamCollision& parameters, int modes) {
    parameters.mesh.modes = modes;
    parameters.mesh.elements = 80 * ((modes + 24) / 25);
}

}  // namespace stoss
