#include <solvers/app/schema_rules.hpp>

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace stoss::solvers {

namespace {

using io::Value;
using Names = std::initializer_list<const char*>;
using Rules = std::initializer_list<Value>;

// ---- Pieces of a schema

Value object(const char* key, Value value) {
    return Value::object().set(key, std::move(value));
}

Value list(Rules rules) {
    Value values = Value::array();
    for (const Value& rule : rules) values.append(rule);
    return values;
}

Value words(Names names) {
    Value values = Value::array();
    for (const char* const name : names) values.append(name);
    return values;
}

Value any(Rules rules) {
    return object("anyOf", list(rules));
}
Value all(Rules rules) {
    return object("allOf", list(rules));
}
Value none(Value rule) {
    return object("not", std::move(rule));
}
Value when(Value condition, Value rule) {
    return object("if", std::move(condition)).set("then", std::move(rule));
}
Value one_of(Names names) {
    return object("enum", words(names));
}
Value defined(const char* name) {
    return object("$ref", std::string("#/$defs/") + name);
}
Value at_least(int count) {
    return object("minItems", count);
}
Value exactly(int count) {
    return at_least(count).set("maxItems", count);
}

/// A rule for the value at a path; `*` is every item. It does not apply if there is no value.
Value inside(std::string_view path, Value rule) {
    const std::size_t dot = path.rfind('.');
    const std::string_view last = path.substr(dot == path.npos ? 0 : dot + 1);
    Value wrapped = last == "*"
                        ? object("items", std::move(rule))
                        : object("properties", Value::object().set(std::string(last), rule));
    return dot == path.npos ? wrapped : inside(path.substr(0, dot), std::move(wrapped));
}

/// The rule for several keys.
Value each(Names keys, const Value& rule) {
    Value properties = Value::object();
    for (const char* const key : keys) properties.set(key, rule);
    return object("properties", std::move(properties));
}

/// The key is there, and keeps the rule.
Value with(const char* key, Value rule) {
    return inside(key, std::move(rule)).set("required", words({key}));
}
Value given(const char* key) {
    return with(key, none(object("enum", Value::array().append("none").append(Value::array()))));
}
Value nonzero(const char* key) {
    return with(key, none(defined("zero")));
}
Value infinite(const char* key) {
    return with(key, defined("infinite"));
}
Value not_both(const char* one, const char* other) {
    return none(all({given(one), given(other)}));
}
Value needs(Names keys) {
    return object("required", words(keys));
}
Value of(Names problems, Value rule) {
    return when(with("problem", one_of(problems)), std::move(rule));
}

Value law_is(Names names) {
    return with("law", one_of(names));
}
Value needs_stiffness() {
    return when(none(law_is({"parallel_cylinders", "tabulated"})), needs({"stiffness"}));
}
Value other_exponent_needs_stiffness() {
    return when(with("exponent", none(object("const", 1.5))), needs({"stiffness"}));
}
Value loads() {
    return any({given("gravity"), given("loads")});
}

// ---- What the rules share

Value zero() {
    return any({object("const", 0),
                object("type", "string")
                    .set("pattern", "^ *[-+]?[0.]+([eE][-+]?[0-9]+)?( *[^ 0-9eE.].*)?$")});
}

Value body() {
    return all({each({"moments", "products", "position", "velocity", "angular_velocity", "rotation",
                      "inertia"},
                     exactly(3)),
                inside("inertia.*", exactly(3)), inside("orientation", exactly(4)),
                any({given("moments"), given("inertia"), infinite("mass")})});
}

Value frame() {
    return all({each({"point", "normal", "tangent", "second_tangent"}, exactly(3)),
                inside("normal", object("contains", none(defined("zero")))),
                when(given("second_tangent"), given("tangent"))});
}

Value definitions() {
    return Value::object()
        .set("zero", zero())
        .set("infinite", any({object("type", "string").set("pattern", "^ *\\.?inf"),
                              object("type", "number").set("minimum", 1e308)}))
        .set("body", body())
        .set("frame", frame());
}

// ---- Rules by subject

std::vector<Value> rigid_rules() {
    const Value fixed = infinite("mass"), still = object("items", defined("zero"));
    const Value components = needs({"n", "t", "o"});
    return {
        of({"rigid_contact", "rigid_impact_map", "compliant_impact", "impact_hypotheses"},
           all({inside("first", defined("body")), inside("frame", defined("frame")),
                inside("second", when(object("type", "object"), defined("body"))),
                inside("b", any({components, needs({"speed", "inclination"})})),
                inside("b", none(any({needs({"n", "speed"}), needs({"n", "inclination"})}))),
                each({"friction", "azimuths"}, at_least(1))})),
        of({"rigid_contact", "compliant_impact", "impact_hypotheses"},
           none(all(
               {with("first", fixed), inside("second", any({object("const", "none"), fixed}))}))),
        of({"compliant_impact", "impact_hypotheses"},
           inside("second", when(fixed, each({"velocity", "angular_velocity"}, still)))),
        of({"compliant_impact"},
           all({inside("stiffness_factors", at_least(1)),
                inside("frame", none(with("rule", one_of({"any_independent"}))))})),
        of({"six_mass_body"},
           all({each({"normal", "velocity"}, exactly(3)),
                inside("normal", none(object("prefixItems",
                                             list({true, defined("zero"), defined("zero")}))))})),
        of({"sliding_rod"}, all({inside("angles", at_least(1)),
                                 any({given("friction"), given("relative_friction")})})),
        of({"rigid_impact_map"},
           inside("b", none(all({each({"n", "t", "o"}, defined("zero")), components})))),
        of({"rigid_contact", "six_mass_body", "rigid_impact_map"}, none(needs({"mu", "friction"}))),
    };
}

std::vector<Value> law_rules() {
    const Value damped = all({when(law_is({"hunt_crossley", "kuwabara_kono", "simon_hunt_crossley",
                                           "tsuji", "viscoelastic"}),
                                   any({given("damping_factor"), given("restitution")})),
                              when(law_is({"ramped_damping"}), given("damping"))});
    const Value starts_at_zero = at_least(2).set("prefixItems", list({defined("zero")}));
    const Value rises_at_once =
        at_least(2).set("prefixItems", list({defined("zero"), none(defined("zero"))}));
    // The case itself need not hold where a sweep replaces its law or a number of the law.
    const Value sweeps_the_law = with("sweep", with("key", object("pattern", "^contact")));
    return {
        inside("contact", not_both("damping_factor", "restitution")),
        inside("contact", not_both("damping", "restitution")),
        inside("contact", when(law_is({"tabulated"}), all({inside("overlap", starts_at_zero),
                                                           inside("force", rises_at_once)}))),
        inside("contact", none(all({with("rule", one_of({"poursina_nikravesh_2020"})),
                                    with("separation", one_of({"zero_overlap"}))}))),
        of({"beam_impact", "beam_impact_map", "restitution"},
           when(none(sweeps_the_law), inside("contact", damped))),
        of({"box_settle"}, inside("compliant.contact", damped)),
        of({"box_settle"},
           inside("compliant", all({inside("contact.law", none(one_of({"tabulated"}))),
                                    inside("material", none(infinite("youngs_modulus")))}))),
        of({"sphere_impact", "structure_impact"},
           inside("contact.law", none(one_of({"tabulated"})))),
        of({"compliant_impact", "impact_hypotheses"}, inside("contact", needs_stiffness())),
        of({"restitution"}, when(none(given("body")), inside("contact", needs_stiffness()))),
        of({"pendulum_pair"},
           inside("impact", when(with("model", one_of({"contact"})), needs_stiffness()))),
        of({"beam_impact", "beam_impact_map", "sphere_impact"},
           inside("contact", other_exponent_needs_stiffness())),
        of({"beam_impact", "beam_impact_map"},
           inside("contact", when(law_is({"dmt", "jkr", "maugis", "thornton_ning_adhesive"}),
                                  with("separation", one_of({"zero_overlap"}))))),
        of({"calibrate", "sphere_impact"},
           when(given("cor"),
                inside("contact.law", none(one_of({"dmt", "hertz", "jackson_green", "jkr", "maugis",
                                                   "parallel_cylinders", "thornton_ning",
                                                   "thornton_ning_adhesive", "tabulated"}))))),
        of({"sphere_impact"}, when(given("cor"), inside("contact", none(given("restitution"))))),
        of({"calibrate"},
           all({not_both("contact_time", "peak_overlap"),
                when(any({given("contact_time"), given("peak_overlap")}),
                     inside("contact", none(needs({"stiffness"})))),
                when(none(any({given("contact_time"), given("peak_overlap")})),
                     inside("contact", when(law_is({"kelvin_voigt"}), needs({"stiffness"}))))})),
        of({"bouncing_ball"},
           all({any({given("contact"), given("cor")}),
                when(
                    with("spot", one_of({"same"})),
                    all({given("contact"),
                         inside("contact", law_is({"walton_braun", "thornton_ning", "jackson_green",
                                                   "thornton_ning_adhesive", "tabulated"}))}))})),
        of({"bead"}, inside("degree", none(object("multipleOf", 2)))),
    };
}

std::vector<Value> range_rules() {
    Value powers = Value::array();
    for (int power = 1; power <= 20; ++power) powers.append(1 << power);
    const Value end_above_zero = each({"from", "to"}, none(defined("zero")));
    return {
        inside("location", all({any({given("xi"), given("x")}), not_both("xi", "x")})),
        inside("locations",
               all({any({given("at"), all({given("from"), given("to"), given("points")})}),
                    none(all({given("at"), any({given("from"), given("to"), given("points")})}))})),
        inside("locations.at", at_least(1)),
        of({"beam_impact_map"}, all({any({given("locations"), given("locations_from")}),
                                     not_both("locations", "locations_from")})),
        inside("motion", not_both("drop_height", "approach_speed")),
        inside("sweep.values", at_least(1)),
        each({"fit", "schemes", "points"}, at_least(1)),
        not_both("sweep", "uncertainty"),
        inside("uncertainty.samples", object("enum", std::move(powers))),
        of({"sphere_impact", "structure_impact", "rigid_contact", "six_mass_body"},
           inside("over", object("maxItems", 1))),
        of({"sphere_impact"},
           when(given("measurements"), all({given("over"), none(given("sweep"))}))),
        of({"sphere_impact"},
           inside("over.*.key", none(one_of({"target.shape", "contact.law", "motion.given"})))),
        inside("over.*", when(with("key", one_of({"speed", "mass"})), end_above_zero)),
        inside("over.*.key", defined("path")),
        inside("sweep.key", defined("path")),
        inside("fit.*.key", defined("path")),
        inside("uncertainty.keys.*.key", defined("path")),
    };
}

std::vector<Value> beam_rules() {
    const Value held = with("beam", with("supports", at_least(1)));
    const auto held_by = [](const char* type) {
        return with("beam", with("supports", object("contains", with("type", one_of({type})))));
    };
    const Value acts = any({nonzero("translation"), nonzero("rotation")});
    const Value with_dashpots = with("beam", given("dashpots"));
    const Value one_offset = all({object("contains", nonzero("offset")).set("maxContains", 1),
                                  inside("*.type", none(one_of({"clamp", "slider"})))});
    return {
        when(with("integration", with("scheme", one_of({"newmark"}))),
             all({inside("motion", none(loads())), inside("beam", none(given("dashpots")))})),
        when(with_dashpots, inside("motion", none(loads()))),
        when(any({held, with("beam", given("masses"))}),
             inside("motion", none(given("inclination")))),
        when(held_by("pin"), inside("motion", none(nonzero("velocity")))),
        when(held_by("clamp"),
             inside("motion", none(any({nonzero("velocity"), nonzero("angular_velocity")})))),
        inside("beam.section",
               none(all({with("table", none(one_of({"none"}))), needs({"stations"})}))),
        inside("beam.springs.*", acts),
        inside("beam.dashpots.*", acts),
        inside("beam.supports", when(object("contains", nonzero("offset")), one_offset)),
        inside("beam", when(all({with("theory", one_of({"timoshenko"})),
                                 with("section", with("shape", one_of({"general"})))}),
                            needs({"shear_coefficient"}))),
        of({"modal_analysis"}, inside("mesh.modes", none(one_of({"auto"})))),
        of({"modal_analysis"}, none(all({given("points"), with_dashpots}))),
        of({"mesh_modes"},
           when(with("body", one_of({"solid"})), inside("modes", object("minimum", 6)))),
        of({"structure_impact"}, inside("target.section.shape", none(one_of({"profile"})))),
    };
}

std::vector<Value> striker_rules() {
    const Names beams{"beam_impact", "beam_impact_map", "beam_fit", "beam_optimize",
                      "virtual_experiment"};
    const Value round = with("shape", one_of({"cylinder", "sphere"}));
    const Value has_density =
        all({with("shape", one_of({"sphere"})),
             inside("material", any({object("type", "string"), needs({"density"})}))});
    const Value movable =
        all({any({given("mass"), given("length"), has_density}), none(infinite("mass"))});
    const Value own_length = all({given("length"), inside("length", none(one_of({"auto"}))),
                                  with("material", object("type", "object")), none(given("mass"))});
    const Value moving = any({given("velocity"), given("angular_velocity"), given("vibration")});
    const Value moving_beam = any({moving, given("approach_speed")});
    const Value flat =
        with("beam", with("section", with("shape", one_of({"rectangle", "i_section"}))));
    return {
        of(beams,
           inside("striker",
                  all({
                      when(all({round, any({nonzero("velocity"), nonzero("load")})}), movable),
                      when(needs({"inner_damping_time"}), given("inner")),
                      when(given("inner"), given("mass")),
                      when(round, needs({"material"})),
                      when(with("shape", one_of({"beam"})), none(needs({"material"}))),
                      when(own_length, inside("material", needs({"density"}))),
                  }))),
        of({"beam_impact", "beam_impact_map"},
           any({with("motion", moving_beam), with("striker", moving), given("sweep"),
                given("uncertainty")})),
        of(beams, when(all({flat, with("striker", with("shape", one_of({"cylinder"})))}),
                       with("contact", needs({"stiffness"})))),
        of({"virtual_experiment"},
           all({with("beam", with("supports", exactly(1))),
                inside("striker", any({none(given("mass")), infinite("mass")})),
                inside("motion", none(loads()))})),
    };
}

std::vector<Value> other_rules() {
    const Value closed_form = all({inside("contact.law", one_of({"hunt_crossley", "hertz"})),
                                   inside("point", none(nonzero("external_force")))});
    const Value of_beam =
        all({given("striker"), given("location"), inside("as_published", object("const", false)),
             inside("beam.dashpots", object("maxItems", 0)),
             when(with("motion", loads()), inside("schemes.*.scheme", one_of({"splitting"})))});
    const Value of_point = all({inside("schemes.*.scheme", none(one_of({"splitting"}))),
                                inside("contact", needs_stiffness())});
    const Value right_or_more = none(
        object("type", "string")
            .set("pattern", "^ *(9[0-9]|[1-9][0-9]{2,})(\\.[0-9]*)? *(deg|degree|degrees|°) *$"));
    return {
        of({"scheme_comparison"},
           all({any({given("point"), given("beam")}), not_both("point", "beam"),
                when(given("beam"), of_beam), when(given("point"), of_point),
                inside("schemes.*.name", object("pattern", "^[A-Za-z0-9_]*$")),
                when(with("as_published", object("const", true)), closed_form),
                when(with("schemes", object("contains", given("correction"))), closed_form)})),
        of({"box_settle"},
           all({any({given("spheres"), given("lattice"), given("clumps")}),
                not_both("spheres", "lattice"), not_both("clumps", "lattice"),
                not_both("compliant", "clumps"),
                when(any({given("clumps"), given("grains")}), given("shapes")),
                when(given("grains"), given("lattice")),
                inside("spheres.*", each({"position", "velocity", "angular_velocity"}, exactly(3))),
                inside("clumps.*.position", exactly(3)),
                inside("clumps.*.orientation", exactly(4))})),
        of({"sliding_rod"}, inside("angles.*", right_or_more)),
        of({"sphere_impact"}, inside("motion.angle", right_or_more)),
    };
}

/// The last words of all paths: every name of a key in the schema, but of those that hold mappings
/// in every problem.
void add_leaves(const Value& schema, std::set<std::string>& leaves) {
    if (const auto* const items = schema.items()) {
        for (const Value& item : *items) add_leaves(item, leaves);
    }
    if (schema.members() == nullptr) return;
    for (const Value::Member& member : *schema.members()) {
        if (member.key == "properties" && member.value.members() != nullptr) {
            for (const Value::Member& each : *member.value.members()) leaves.insert(each.key);
        }
        add_leaves(member.value, leaves);
    }
}

Value path_rule(const Value& schema) {
    std::set<std::string> leaves;
    add_leaves(schema, leaves);
    for (const char* const name : {"motion", "beam", "striker", "contact", "mesh", "integration"})
        leaves.erase(name);
    return object("pattern", fmt::format("(^|\\.)({})(\\[[0-9]+\\])?$", fmt::join(leaves, "|")));
}

}  // namespace

io::Value with_rules(io::Value schema) {
    Value shared = definitions().set("path", path_rule(schema));
    if (const Value* const before = schema.find("$defs")) {
        for (const Value::Member& member : *before->members()) shared.set(member.key, member.value);
    }
    Value rules = Value::array();
    if (const Value* const before = schema.find("allOf")) rules = *before;
    for (const auto& subject : {rigid_rules(), law_rules(), range_rules(), beam_rules(),
                                striker_rules(), other_rules()}) {
        for (const Value& rule : subject) rules.append(rule);
    }
    return schema.set("allOf", std::move(rules)).set("$defs", std::move(shared));
}

}  // namespace stoss::solvers
