#include <solvers/case/contact_binding.hpp>

#include <variant>

namespace stoss::solvers {

std::optional<double> exponent_of(const contact::Law& law) {
    return std::visit(
        [](const auto& each) -> std::optional<double> {
            if constexpr (requires { each.exponent; }) return each.exponent;
            return std::nullopt;
        },
        law);
}

}  // namespace stoss::solvers

namespace stoss::io::detail {

template void bind_fields(const Source&, models::ContactParameters&, KnownKeys&);
template void write_fields(const models::ContactParameters&, Node&);
template std::vector<KeyDescription> describe_keys(const models::ContactParameters&);
template void bind_variant(const Source&, std::string_view, const Node::Entry*, bool, contact::Law&,
                           KnownKeys&);
template void write_variant(std::string_view, const contact::Law&, Node&);
template ValueDescription describe_value(const contact::Law&, std::string_view, const core::Range&);

}  // namespace stoss::io::detail
