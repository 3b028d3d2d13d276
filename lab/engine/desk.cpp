#include <lab/engine/desk.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <lab/engine/values.hpp>
#include <models/compliant_spheres.hpp>
#include <models/other_programs.hpp>
#include <models/single_impact.hpp>
#include <solvers/case/contact_binding.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/impact/calibrate.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::lab {
namespace {

/// What may be wanted of an impact. Names and ranges are those of the problem `calibrate`, with one
/// e in place of a list.
struct Wish {
    core::OrNone<double> cor = {};
    core::OrNone<double> contact_time = {};
    core::OrNone<double> peak_overlap = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("cor", &Wish::cor, "", core::closed(1e-6, 1.0),
                        "wanted e; sets the damping of the law"),
            core::field("contact_time", &Wish::contact_time, "s", core::positive,
                        "wanted duration, with a wanted e; sets the stiffness"),
            core::field("peak_overlap", &Wish::peak_overlap, "m", core::positive,
                        "wanted largest overlap, with a wanted e; sets the stiffness")};
    }
};

impact::Wanted wanted_of(const Wish& wish) {
    return {wish.cor.value_or(1.0), wish.contact_time, wish.peak_overlap};
}

std::vector<core::Violation> check_wish(const models::SingleImpact& impact, const Wish& wish) {
    std::vector<core::Violation> violations;
    const auto needs_cor = [&](const char* key, const std::optional<double>& value) {
        if (value && !wish.cor)
            violations.push_back({key, "", "needs a wanted restitution beside it", "give `cor`"});
    };
    needs_cor("contact_time", wish.contact_time);
    needs_cor("peak_overlap", wish.peak_overlap);
    if (!wish.cor) {
        core::append(models::check(impact), violations);
        return violations;
    }
    core::append(models::check_load(impact), violations);
    core::append(models::check_calibration(impact, wanted_of(wish)), violations);
    return violations;
}

/// An impact with all that it takes.
struct Read {
    models::SingleImpact impact;
    Wish wish;
    contact::Law law;
};

Read read(const Value& parameters) {
    auto [impact, wish] =
        io::read<models::SingleImpact, Wish>(io::Document{"case", to_node(parameters)});
    core::throw_if_any(check_wish(impact, wish));
    contact::Law law = impact.law();
    if (wish.cor) law = impact::calibrate(law, impact.impact(), wanted_of(wish)).law;
    return {std::move(impact), wish, std::move(law)};
}

/// The unit with the exponent of the law in the place of n.
template <class Law>
std::string unit_of(const Law& law, std::string_view unit) {
    if constexpr (requires { law.exponent; }) {
        if (unit == "N/m^n") return "N/m^" + core::to_text(law.exponent);
    }
    return std::string(unit);
}

Value law_values(const contact::Law& law) {
    Value values = Value::array();
    std::visit(
        [&]<class L>(const L& each) {
            core::for_each_field<L>([&](const auto& field) {
                const auto& member = each.*field.member;
                using Member = std::decay_t<decltype(member)>;
                if constexpr (std::is_same_v<Member, std::optional<double>>) {
                    if (!member) return;
                    values.append(Value(Value::object()
                                            .set("key", field.name)
                                            .set("value", *member)
                                            .set("unit", unit_of(each, field.unit))));
                }
            });
        },
        law);
    return values;
}

/// Why a program has no lines for this contact; empty if it has.
std::string missing_for(const models::OtherProgram& program, const Read& read) {
    const std::string_view law = std::visit([]<class L>(const L&) { return L::name; }, read.law);
    if (law != program.law || read.impact.contact.separation != program.separation)
        return "its law is `" + std::string(program.law) + "`, separation `" +
               std::string(core::name_of(program.separation)) + "`";
    if (program.needs_radius && !read.impact.body)
        return "its parameters depend on the radius: give `body`";
    if (!impact::damping_of(read.law)) return "the damping is not known: give it, or `cor`";
    return {};
}

Value lines_for(const models::OtherProgram& program, const Read& read) {
    Value all = Value::object();
    for (const auto& each : enum_names(program.name)) {
        if (each.value == program.name) all.set("program", each.meaning);
    }
    all.set("law", program.law).set("separation", core::name_of(program.separation));
    std::string why = missing_for(program, read);
    std::string lines;
    if (why.empty()) {
        std::optional<double> radius;
        if (read.impact.body)
            radius = models::contact_bodies(*read.impact.body, read.impact.target).radius;
        const auto parameters = program.parameters(
            models::contact_of(read.law, read.impact.effective_mass().value(), radius));
        why = program.refusal(parameters);
        if (why.empty()) lines = program.lines(parameters);
    }
    all.set("lines", lines).set("why", why);
    return all;
}

Value numbers_of(const impact::Restitution& result) {
    const auto number = [](const std::optional<double>& value) {
        return value ? Value(*value) : Value();
    };
    return Value(Value::object()
                     .set("cor", number(result.cor))
                     .set("duration_s", number(result.duration))
                     .set("peak_force_N", number(result.peak_force))
                     .set("peak_overlap_m", number(result.peak_overlap))
                     .set("end_overlap_m", number(result.end_overlap))
                     .set("energy_lost_J", number(result.energy_lost)));
}

}  // namespace

std::vector<io::KeyDescription> desk_keys() {
    auto keys = io::describe_keys<Wish>();
    auto more = io::describe_keys<models::SingleImpact>();
    keys.insert(keys.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
    return keys;
}

Value answer_impact(const Value& parameters, Block& block) {
    const Read read = lab::read(parameters);
    const impact::Impact impact = read.impact.impact();
    const impact::Path path = impact::path_of(read.law, impact);
    const auto column = [&](auto member) {
        std::vector<double> values(path.points.size());
        std::transform(path.points.begin(), path.points.end(), values.begin(), std::mem_fn(member));
        return block.put(values);
    };
    Value all = Value::object();
    all.set("status", impact::to_string(path.restitution.status));
    all.set("numbers", numbers_of(path.restitution));
    all.set("critical_load_N", impact::critical_load(read.law, impact));
    all.set("law", law_values(read.law));
    all.set("path", Value(Value::object()
                              .set("time_s", column(&impact::PathPoint::time))
                              .set("overlap_m", column(&impact::PathPoint::overlap))
                              .set("rate_m_per_s", column(&impact::PathPoint::rate))
                              .set("force_N", column(&impact::PathPoint::force))));
    all.set("programs", list_of(models::other_programs(), [&](const models::OtherProgram& each) {
                return lines_for(each, read);
            }));
    return all;
}

Value impact_as_case(const Value& parameters) {
    const Value* const cor = parameters.find("cor");
    Value whole = Value::object();
    whole.set("problem", cor != nullptr ? "calibrate" : "restitution");
    if (const auto* const members = parameters.members()) {
        for (const auto& [key, held] : *members) {
            if (key != "cor") whole.set(key, held);
        }
    }
    if (cor != nullptr) {
        Value list = Value::array();
        list.append(*cor);
        whole.set("cor", std::move(list));
    }
    return whole;
}

}  // namespace stoss::lab
