#include <solvers/case/contact_binding.hpp>

namespace stoss::io::detail {

template void bind_fields(const Source&, models::ContactParameters&, KnownKeys&);
template void write_fields(const models::ContactParameters&, Node&);
template std::vector<KeyDescription> describe_keys(const models::ContactParameters&);

}  // namespace stoss::io::detail
