#pragma once
/// The keys of a beam and of its collision are read, written and described by code that is made
/// once, in beam_binding.cpp: their field lists are long, and every problem of a struck beam needs
/// them.

#include <vector>

#include <models/beam_collision.hpp>
#include <solvers/case/contact_binding.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/describe.hpp>

namespace stoss::io::detail {

extern template void bind_fields(const Source&, models::BeamCollision&, KnownKeys&);
extern template void bind_fields(const Source&, models::Beam&, KnownKeys&);
extern template void bind_fields(const Source&, models::Section&, KnownKeys&);
extern template void bind_fields(const Source&, models::Mesh&, KnownKeys&);
extern template void write_fields(const models::BeamCollision&, Node&);
extern template void write_fields(const models::Beam&, Node&);
extern template void write_fields(const models::Section&, Node&);
extern template void write_fields(const models::Mesh&, Node&);
extern template std::vector<KeyDescription> describe_keys(const models::BeamCollision&);
extern template std::vector<KeyDescription> describe_keys(const models::Beam&);
extern template std::vector<KeyDescription> describe_keys(const models::Section&);
extern template std::vector<KeyDescription> describe_keys(const models::Mesh&);

}  // namespace stoss::io::detail
