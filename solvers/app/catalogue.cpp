#include <solvers/app/catalogue.hpp>

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <models/presets.hpp>
#include <postproc/experiment/experiment.hpp>
#include <postproc/experiment/trace.hpp>
#include <solvers/app/key_guide.hpp>
#include <solvers/app/schema_rules.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/point_impact.hpp>
#include <stoss/io/describe.hpp>
#include <stoss/io/schema.hpp>

namespace stoss::solvers {

namespace {

template <class Variant>
std::vector<io::Choice> alternatives() {
    std::vector<io::Choice> choices;
    core::for_each_alternative<Variant>([&]<class A>(std::type_identity<A>) {
        if constexpr (!io::detail::ForPrograms<A>) choices.push_back(io::describe_choice<A>());
    });
    return choices;
}

std::vector<io::Choice> problem_choices() {
    std::vector<io::Choice> choices;
    for (const Problem& problem : problems()) choices.push_back(problem.describe());
    return choices;
}

constexpr std::size_t name_width = 20;

/// Values, then where they come from and what confirms them, a line each.
std::vector<io::Choice> material_choices() {
    std::vector<io::Choice> choices;
    for (io::Preset& preset : io::read_presets(models::material_presets())) {
        std::string origin;
        for (const char* const key : {"source", "check"}) {
            origin +=
                fmt::format("\n{:{}} {}: {}", "", name_width, key, preset.value.find(key)->scalar);
            std::erase_if(preset.value.entries, [&](const auto& each) { return each.key == key; });
        }
        choices.push_back({preset.name, io::to_yaml_line(preset.value) + origin, {}});
    }
    return choices;
}

std::vector<io::Choice> choices_of(std::string_view what) {
    if (what == "laws") return alternatives<contact::Law>();
    if (what == "schemes") {
        auto schemes = alternatives<impact::Scheme>();
        const auto one_step = alternatives<impact::OneStepScheme>();
        schemes.insert(schemes.end(), one_step.begin(), one_step.end());
        return schemes;
    }
    if (what == "materials") return material_choices();
    if (what == "files") {
        return {io::describe_choice<postproc::EncoderSettings>(),
                io::describe_choice<postproc::ExperimentMapping>()};
    }
    return problem_choices();
}

/// The keys of a whole case: what it is, the problem's own, what it expects.
std::vector<io::KeyDescription> with_case_keys(const std::vector<io::KeyDescription>& own) {
    std::vector<io::KeyDescription> keys = io::describe_keys<CaseHeader>();
    const auto expectations = io::describe_keys<CaseExpectations>();
    keys.insert(keys.end(), own.begin(), own.end());
    keys.insert(keys.end(), expectations.begin(), expectations.end());
    return keys;
}

}  // namespace

std::string list(std::string_view what) {
    std::string text;
    for (const io::Choice& choice : choices_of(what)) {
        text += fmt::format("{:<{}} {}\n", choice.name, name_width, choice.meaning);
    }
    return text;
}

Description description_of(const std::string& name) {
    std::vector<std::string> known;
    for (const std::string_view what : {"problems", "laws", "schemes", "materials", "files"}) {
        for (io::Choice& choice : choices_of(what)) {
            if (choice.name == name) {
                if (what == "problems") choice.keys = with_case_keys(choice.keys);
                return {std::move(choice.meaning), std::move(choice.keys)};
            }
            known.push_back(choice.name);
        }
    }
    const auto nearest = core::nearest_word(name, known);
    throw core::InputError({{"",
                             0,
                             0,
                             {"describe", name, "is not a problem, law, scheme or material",
                              nearest ? "did you mean `" + *nearest + "`?"
                                      : "`stoss list problems` shows what there is; so does "
                                        "`stoss list laws`, schemes, materials"}}});
}

std::string describe(const std::string& name, const std::string& path, const DescribeLook& look) {
    const auto [meaning, keys] = description_of(name);
    if (!path.empty()) return guide_at(name, keys, path, look.width);
    const std::string head = fmt::format("{}: {}\n", name, meaning);
    if (keys.empty()) return head;
    if (look.all) return fmt::format("{}\n{}", head, io::to_table(keys));
    std::string text = fmt::format("{}\n{}\n", head, guide(keys, 2, look.width));
    for (const io::KeyDescription& key : keys) {
        if (key.value.kind != io::ValueDescription::Kind::mapping) continue;
        text += folded(fmt::format("`stoss describe {} {}` goes one level down. ", name, key.key),
                       0, look.width) +
                '\n';
        break;
    }
    return text + "`--all` shows every key of every level at once.\n";
}

std::string schema() {
    return io::to_json(with_rules(io::json_schema(
                           io::case_keys(with_case_keys({}), problem_choices()), "Stoss case")),
                       0);
}

}  // namespace stoss::solvers
