// The engine as the page asks it: one JSON object in, one out, with a block of doubles beside it.
//   {"do": "keys"}                                  keys of all cases, columns of a map
//   {"do": "map", "case": {...}, "xi": [...], "truncation": true, "film": {...}}
//                                                   film: as of `collide`, of the same case
//   {"do": "collide", "case": {...}, "xi": 0.5, "samples": 400, "stations": 61}
//   {"do": "impact", "case": {...}}                 {"do": "impact_yaml", "case": {...}}
//   {"do": "cone", "case": {...}}                   {"do": "rod", "case": {...}}
//   {"do": "bench", "case": {...}}                  {"do": "bench_yaml", "case": {...}}
//   {"do": "yaml", "case": {...}}                   {"do": "case", "text": "..."}
// `map` with truncation and `collide` hold the warnings of the command: {"warnings": ["..."]}.
// Columns of numbers are {"from": i, "count": n}: n doubles of the block from i on.
// Bad input: {"problems": [{key, value, rule, hint}]}; a computation that failed: {"failure":
// "..."}.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lab/engine/bench.hpp>
#include <lab/engine/block.hpp>
#include <lab/engine/cone.hpp>
#include <lab/engine/desk.hpp>
#include <lab/engine/values.hpp>
#include <lab/engine/warnings.hpp>
#include <models/checked_beam_model.hpp>
#include <models/collide_many.hpp>
#include <models/mode_choice.hpp>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/collision_columns.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/describe.hpp>
#include <stoss/io/json.hpp>

namespace stoss::lab {
namespace {

Value keys_of(const std::vector<io::KeyDescription>& keys);

Value description_of(const io::ValueDescription& value) {
    Value all = Value::object();
    all.set("kind", to_string(value.kind)).set("unit", value.unit);
    all.set("least", value.range.low).set("greatest", value.range.high);
    all.set("other_word", value.other_word);
    all.set("choices", list_of(value.choices, [](const io::Choice& choice) {
                return Value(Value::object()
                                 .set("name", choice.name)
                                 .set("meaning", choice.meaning)
                                 .set("keys", keys_of(choice.keys)));
            }));
    all.set("keys", keys_of(value.keys));
    all.set("names", list_of(value.names, [](const std::string& name) { return Value(name); }));
    all.set("items", list_of(value.items, description_of));
    return all;
}

Value keys_of(const std::vector<io::KeyDescription>& keys) {
    return list_of(keys, [](const io::KeyDescription& key) {
        Value each = Value::object();
        each.set("key", key.key).set("meaning", key.meaning).set("is_required", key.is_required);
        each.set("other_name", key.other_name);
        each.set("value", description_of(key.value));
        each.set("default", key.default_value ? to_value(*key.default_value) : Value());
        return each;
    });
}

/// The case asked for last.
const models::CheckedBeamModel& checked_case(const Value& parameters) {
    static std::string text;
    static std::optional<models::CheckedBeamModel> model;
    std::string asked = text_of(parameters);
    if (!model || asked != text) {
        model.reset();
        model.emplace(io::read<models::BeamCollision>(io::Document{"case", to_node(parameters)}));
        text = std::move(asked);
    }
    return *model;
}

/// The model with as many modes as these places need, with the same bits as in a run of the
/// command.
std::shared_ptr<const models::BeamModel> model_of(const Value& request,
                                                  std::span<const double> xi) {
    const models::CheckedBeamModel& checked = checked_case(*request.find("case"));
    const models::BeamCollision& parameters = checked.parameters();
    const bool on_beam =
        std::all_of(xi.begin(), xi.end(), [](double each) { return each >= 0.0 && each <= 1.0; });
    if (on_beam && !parameters.mesh.modes) {
        auto choice = models::choose_modes({&parameters, 1}, xi, {.threads = 1});
        if (choice && !choice->models.empty())
            return std::make_shared<const models::BeamModel>(std::move(choice->models.front()));
    }
    const auto settled = std::make_shared<const models::CheckedBeamModel>(checked.settled(xi, 1));
    return {settled, &settled->model()};
}

double number_in(const Value& request, std::string_view key, double otherwise) {
    const Value* const held = request.find(key);
    return held != nullptr ? held->number().value_or(otherwise) : otherwise;
}

Value answer_keys() {
    Value columns =
        list_of(solvers::collision_columns(), [](std::string_view name) { return Value(name); });
    return Value(Value::object()
                     .set("keys", keys_of(io::describe_keys<models::BeamCollision>()))
                     .set("desk", keys_of(desk_keys()))
                     .set("cone", keys_of(cone_keys()))
                     .set("bench", keys_of(bench_keys()))
                     .set("columns", std::move(columns)));
}

std::vector<double> numbers_in(const Value& request, std::string_view key) {
    std::vector<double> numbers;
    const Value* const held = request.find(key);
    if (held == nullptr || held->items() == nullptr) return numbers;
    for (const Value& each : *held->items()) numbers.push_back(each.number().value_or(0.0));
    return numbers;
}

template <class Member>
Value column_of(const std::vector<impact::Sample>& samples, Member member, Block& block) {
    std::vector<double> column(samples.size());
    std::transform(samples.begin(), samples.end(), column.begin(), member);
    return block.put(column);
}

/// The deflection [m] of the beam at evenly spaced places, sample after sample.
std::vector<double> deflections_of(const models::BeamModel& model,
                                   const std::vector<impact::Sample>& samples,
                                   std::size_t stations) {
    std::vector<Eigen::VectorXd> shapes(stations);
    for (std::size_t s = 0; s < stations; ++s) {
        const double place = static_cast<double>(s) / static_cast<double>(stations - 1);
        static_cast<void>(model.beam().shapes_at(place, shapes[s]));
    }
    std::vector<double> deflections;
    deflections.reserve(stations * samples.size());
    for (const impact::Sample& sample : samples) {
        const Eigen::Map<const Eigen::VectorXd> modes(
            sample.body_modes.data(), static_cast<Eigen::Index>(sample.body_modes.size()));
        for (const Eigen::VectorXd& shape : shapes)
            deflections.push_back(shape.head(modes.size()).dot(modes));
    }
    return deflections;
}

Value film_of(const models::BeamModel& model, const Value& request, Block& block) {
    const auto samples = static_cast<std::size_t>(number_in(request, "samples", 400));
    const auto stations = static_cast<std::size_t>(number_in(request, "stations", 61));
    impact::History recorded(samples);
    const impact::CollisionResult collision =
        model.collide(number_in(request, "xi", 0.5), &recorded);
    const auto& history = recorded.samples();
    using impact::Sample;
    Value all = Value::object();
    all.set("status", impact::to_string(collision.status));
    Value result = Value::object();
    const auto names = solvers::result_columns();
    const auto values =
        solvers::result_values(collision, solvers::came_to_rest(collision, model.time_limit()));
    for (std::size_t c = 0; c < names.size(); ++c) result.set(std::string(names[c]), values[c]);
    all.set("numbers", std::move(result));
    const std::pair<const char*, double Sample::*> columns[] = {
        {"time", &Sample::time},
        {"overlap", &Sample::overlap},
        {"force", &Sample::force},
        {"rigid", &Sample::energy_rigid},
        {"vibration", &Sample::energy_vibration},
        {"contact", &Sample::energy_contact},
        {"structural_loss", &Sample::energy_structural_loss},
        {"contact_loss", &Sample::energy_contact_loss},
        {"displacement", &Sample::body_displacement}};
    for (const auto& [name, member] : columns)
        all.set(name, column_of(history, std::mem_fn(member), block));
    all.set("sub_impacts", list_of(collision.sub_impacts, [](const impact::SubImpact& each) {
                return numbers({each.start, each.end, each.impulse, each.peak_force});
            }));
    all.set("deflection", block.put(deflections_of(model, history, stations)));
    all.set("stations", stations);
    const models::TheoryLimits limits(model);
    Warnings warnings(model, limits);
    warnings.add(number_in(request, "xi", 0.5), collision);
    all.set("warnings", warnings.sentences());
    return all;
}

/// The collisions of a map with what the page shows of each.
struct MapOfPage {
    std::span<const std::string_view> names;
    std::vector<std::vector<double>> columns;
    std::vector<impact::Status> statuses;
    Value warnings = Value::array();  ///< known with the truncation
};

MapOfPage map_of(const models::BeamModel& model, const std::vector<double>& xi,
                 bool with_truncation) {
    const models::CollisionList collisions{xi.size(),
                                           [&](std::size_t i) -> models::CollisionList::Request {
                                               return {i, &model, xi[i]};
                                           },
                                           1};
    std::vector<std::vector<double>> rows(xi.size());
    MapOfPage map;
    map.statuses.resize(xi.size());
    if (with_truncation) {
        const solvers::BeamStudy study(model);
        Warnings warnings(model, study.limits);
        map.names = solvers::collision_columns();
        models::collide_with_truncation(
            collisions, [&](std::size_t) -> const models::Truncation& { return study.truncation; },
            [&](std::size_t i, const impact::CollisionResult& result) {
                rows[i] = solvers::collision_values(study, xi[i], result, std::nullopt);
                warnings.add(xi[i], result);
                map.statuses[i] = result.status;
            },
            [&](std::size_t i, std::optional<double> truncation) {
                rows[i][solvers::column_index(solvers::truncation_column)] =
                    truncation.value_or(io::no_number);
                warnings.add_truncation(xi[i], truncation);
            });
        map.warnings = warnings.sentences();
    } else {
        map.names = solvers::result_columns();
        models::collide(collisions, [&](std::size_t i, const impact::CollisionResult& result) {
            rows[i] =
                solvers::result_values(result, solvers::came_to_rest(result, model.time_limit()));
            map.statuses[i] = result.status;
        });
    }
    map.columns.resize(map.names.size());
    for (const auto& row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c) map.columns[c].push_back(row[c]);
    }
    return map;
}

Value answer_map(const Value& request, Block& block) {
    const std::vector<double> xi = numbers_in(request, "xi");
    const auto model = model_of(request, xi);
    const Value* const truncation = request.find("truncation");
    const MapOfPage map = map_of(*model, xi, truncation != nullptr && truncation->flag() == true);
    Value table = Value::object();
    table.set("xi", block.put(xi));
    for (std::size_t c = 0; c < map.names.size(); ++c)
        table.set(std::string(map.names[c]), block.put(map.columns[c]));
    Value statuses =
        list_of(map.statuses, [](impact::Status each) { return Value(impact::to_string(each)); });
    Value whole = Value::object();
    whole.set("columns", std::move(table)).set("status", std::move(statuses));
    whole.set("modes", model->parameters().mesh.modes.value_or(0));
    whole.set("warnings", map.warnings);
    if (const Value* const film = request.find("film"))
        whole.set("film", film_of(*model, *film, block));
    return whole;
}

Value answer_collision(const Value& request, Block& block) {
    const double xi = number_in(request, "xi", 0.5);
    return film_of(*model_of(request, {&xi, 1}), request, block);
}

Value answer_yaml(const Value& whole) {
    return Value(Value::object().set("text", io::to_yaml(to_node(whole))));
}

Value answer_case(const Value& request) {
    const auto document = io::parse_yaml(*request.find("text")->text(), "case");
    return Value(Value::object().set("case", to_value(document.root)));
}

/// What the page may ask for. Pointers, because a browser compiles what is called when it is
/// called first: as one function with all of them the first answer would wait for the others.
struct Question {
    std::string_view name;
    Value (*answer)(const Value& request, Block& block);
};

const Value& case_in(const Value& request) {
    return *request.find("case");
}

constexpr Question questions[] = {
    {"keys", [](const Value&, Block&) { return answer_keys(); }},
    {"map", answer_map},
    {"collide", answer_collision},
    {"cone", [](const Value& request, Block&) { return answer_cone(case_in(request)); }},
    {"rod", [](const Value& request, Block&) { return answer_rod(case_in(request)); }},
    {"bench",
     [](const Value& request, Block& block) { return answer_bench(case_in(request), block); }},
    {"bench_yaml",
     [](const Value& request, Block&) { return answer_yaml(bench_as_case(case_in(request))); }},
    {"impact",
     [](const Value& request, Block& block) { return answer_impact(case_in(request), block); }},
    {"impact_yaml",
     [](const Value& request, Block&) { return answer_yaml(impact_as_case(case_in(request))); }},
    {"yaml", [](const Value& request, Block&) { return answer_yaml(case_in(request)); }},
    {"case", [](const Value& request, Block&) { return answer_case(request); }}};

Value answer(const Value& request, Block& block) {
    const Value* const wanted = request.find("do");
    const std::string what = wanted != nullptr && wanted->text() ? *wanted->text() : "";
    for (const Question& each : questions) {
        if (each.name == what) return each.answer(request, block);
    }
    return Value(Value::object().set("failure", "the engine does not know `" + what + "`"));
}

Value problems_of(const core::InputError& error) {
    Value list = list_of(error.diagnostics(), [](const core::Diagnostic& each) {
        return Value(Value::object()
                         .set("key", each.violation.key)
                         .set("value", each.violation.value)
                         .set("rule", each.violation.rule)
                         .set("hint", each.violation.suggestion)
                         .set("line", each.line));
    });
    return Value(Value::object().set("problems", std::move(list)));
}

std::string answer_text(const char* request, Block& block) {
    try {
        return io::to_json(answer(io::parse_json(request, "request"), block), 0);
    } catch (const core::InputError& error) {
        return io::to_json(problems_of(error), 0);
    } catch (const std::exception& error) {
        return io::to_json(Value(Value::object().set("failure", error.what())), 0);
    }
}

}  // namespace
}  // namespace stoss::lab

namespace {

stoss::lab::Block& last_block() {
    static stoss::lab::Block block;
    return block;
}

}  // namespace

/// The answer belongs to the caller, who frees it.
extern "C" char* stoss_lab_ask(const char* request) {
    last_block() = {};
    const std::string text = stoss::lab::answer_text(request, last_block());
    char* const copy = static_cast<char*>(std::malloc(text.size() + 1));
    if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
    return copy;
}

/// The block of the last answer, until the next one is asked for; and the number of its doubles.
extern "C" const double* stoss_lab_block() {
    return last_block().numbers().data();
}
extern "C" std::size_t stoss_lab_block_size() {
    return last_block().numbers().size();
}
