#include <solvers/case/beam_binding.hpp>

namespace stoss::io::detail {

template void bind_fields(const Source&, models::BeamCollision&, KnownKeys&);
template void bind_fields(const Source&, models::Beam&, KnownKeys&);
template void bind_fields(const Source&, models::Section&, KnownKeys&);
template void bind_fields(const Source&, models::Mesh&, KnownKeys&);
template void write_fields(const models::BeamCollision&, Node&);
template void write_fields(const models::Beam&, Node&);
template void write_fields(const models::Section&, Node&);
template void write_fields(const models::Mesh&, Node&);
template std::vector<KeyDescription> describe_keys(const models::BeamCollision&);
template std::vector<KeyDescription> describe_keys(const models::Beam&);
template std::vector<KeyDescription> describe_keys(const models::Section&);
template std::vector<KeyDescription> describe_keys(const models::Mesh&);

}  // namespace stoss::io::detail
