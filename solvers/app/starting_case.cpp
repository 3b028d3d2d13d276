#include <solvers/app/starting_case.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <solvers/app/catalogue.hpp>
#include <solvers/app/key_guide.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/file.hpp>

namespace stoss::solvers {

namespace {

using Keys = std::vector<io::KeyDescription>;

/// Values of a problem's keys, without a word about them, and a file that they name.
struct Values {
    std::string_view problem;
    std::string_view yaml;
    std::string_view file = {};
    std::string_view content = {};
};

constexpr std::string_view pinned_beam = R"(beam:
  length: 508 mm
  section: {shape: circle, radius: 6.35 mm}
  material: aluminium
  supports:
    - {type: pin, xi: 0.0375}
striker: {shape: cylinder, radius: 6.35 mm, material: aluminium}
motion: {angular_velocity: -6 rad/s}
)";

constexpr std::string_view tilted_rod = R"(first:
  mass: 1 kg
  moments: [0.08333 kg m^2, 0.08333 kg m^2, 0.08333 kg m^2]
  position: [0.15 m, 0, 0.48 m]
  velocity: [0.4 m/s, 0, -1 m/s]
frame: {point: [0, 0, 0], normal: [0, 0, 1], tangent: [1, 0, 0]}
mu: 0.3
contact: {law: walton_braun, stiffness: 1e8 N/m, restitution: 0.5}
friction: regularised_coulomb
)";

/// One for each problem. `{beam}` and `{rod}` are replaced by the texts above.
constexpr std::array all_values{
    Values{"bead", "exponent: 1.5\ndamping_exponent: 1.5\ndamping: {from: 0, to: 0.1}\n"},
    Values{"beam_fit",
           "{beam}experiment: measured.csv\n"
           "fit:\n  - {key: striker.radius, from: 2 mm, to: 20 mm}\n",
           "measured.csv", "xi,cor\n0.3,0.92\n0.4,0.87\n0.5,0.81\n0.6,0.7\n0.7,0.55\n0.8,0.4\n"},
    Values{"beam_impact", "{beam}location: {xi: 0.68}\n"},
    Values{"beam_impact_map", "{beam}locations: {from: 0.2, to: 1, points: 100}\n"},
    Values{"beam_optimize",
           "{beam}design:\n  - {key: striker.radius, from: 2 mm, to: 20 mm}\n"
           "locations: {from: 0.4, to: 0.6, points: 11}\n"},
    Values{"bouncing_ball", "mass: 10 g\nheight: 0.3 m\ncor: 0.8\n"},
    Values{"box_settle",
           "box: {x: 50 mm, y: 50 mm, z: 100 mm}\ndensity: 2500 kg/m^3\n"
           "lattice: {count: 100, radius: 2 mm, seed: 1}\ncontact: {friction: 0.4}\n"
           "stepping: {step: 100 us}\nduration: 0.2 s\n"},
    Values{"calibrate",
           "mass: 1 kg\nspeed: 1 m/s\ncontact: {law: hunt_crossley, stiffness: 1e6}\n"
           "cor: [0.3, 0.5, 0.7]\n"},
    Values{"channel_flow",
           "channel: {length: 10 mm, width: 5 mm, height: 2 mm}\ndensity: 2500 kg/m^3\n"
           "inflow: {radius: 0.2 mm, spacing: 0.5 mm, speed: 0.4 m/s}\n"
           "contact: {friction: 0.4}\nstepping: {step: 20 us}\nduration: 0.05 s\n"
           "statistics: {from: 0.03 s}\n"},
    Values{"compliant_impact", "{rod}stiffness_factors: [1, 100, 1e4]\n"},
    Values{"impact_hypotheses", "{rod}"},
    Values{"impact_motion",
           "bodies:\n"
           "  - {name: ball, kind: point_mass, mass: 10 g, velocity: -1 m/s}\n"
           "  - {name: table, kind: surface, motion: [{amplitude: 0.3 mm, frequency: 30 Hz}]}\n"
           "contacts:\n"
           "  - {name: bounce, first: {body: ball}, second: {body: table}, gap: 1 mm, cor: 0.5}\n"
           "gravity: 9.81 m/s^2\nend: {time: 1 s}\n"},
    Values{"mesh_modes",
           "file: block.inp\nunit: 1 mm\nbody: solid\nmaterial: steel\nmodes: 6\n"
           "points:\n  - {name: top, place: [0 mm, 0 mm, 10 mm], direction: [0, 0, 1]}\n",
           "block.inp",
           "*NODE\n1, 0, 0, 0\n2, 10, 0, 0\n3, 10, 10, 0\n4, 0, 10, 0\n"
           "5, 0, 0, 10\n6, 10, 0, 10\n7, 10, 10, 10\n8, 0, 10, 10\n"
           "*ELEMENT, TYPE=C3D8, ELSET=EB1\n1, 1, 2, 3, 4, 5, 6, 7, 8\n"},
    Values{"modal_analysis",
           "beam:\n  length: 508 mm\n  section: {shape: circle, radius: 6.35 mm}\n"
           "  material: aluminium\n  supports:\n    - {type: clamp, xi: 0}\n"},
    Values{"modal_impact",
           "body:\n  modes: modes.csv\n  motion:\n    - {point: tip, velocity: -1 m/s}\n"
           "striker: {kind: point_mass}\ncontact: {law: hertz, stiffness: 4e9}\n",
           "modes.csv",
           "mode,frequency_Hz,modal_damping_1_per_s,tip\n1,0.0,0.0,4.2\n2,160.0,15.0,-4.9\n"
           "3,530.0,160.0,4.9\n"},
    Values{"pendulum_pair",
           "rod_1: {mass: 1 kg, length: 6 m, angle: 15 deg}\n"
           "rod_2: {mass: 0.2 kg, length: 4 m, angle: -90 deg}\npivot_2: {right: -2 m}\n"
           "angles_from: vertical\n"
           "impact: {model: contact, law: linear_damping, stiffness: 1e8, restitution: 0.3}\n"
           "duration: 8 s\n"},
    Values{"restitution", "mass: 1 kg\nspeed: 1 m/s\ncontact: {law: hertz, stiffness: 1e6}\n"},
    Values{"rigid_contact",
           "given: bodies\nfirst:\n  mass: 2 kg\n"
           "  moments: [0.008 kg m^2, 0.008 kg m^2, 0.008 kg m^2]\n"
           "  position: [0, 0, 0.1 m]\n  velocity: [5 m/s, 0, -1 m/s]\n"
           "frame: {point: [0, 0, 0], normal: [0, 0, 1], tangent: [1, 0, 0]}\nmu: 0.2\n"},
    Values{"rigid_contacts", "contacts: contacts.csv\n", "contacts.csv",
           "A_nn_per_kg,A_nt_per_kg,A_no_per_kg,A_tt_per_kg,A_to_per_kg,A_oo_per_kg,"
           "speed_m_per_s,inclination_deg,azimuth_deg,mu\n"
           "0.5,0,0,1.75,0,1.75,1,0,0,0.2\n0.5,0,0,1.75,0,1.75,1,30,0,0.2\n"
           "0.5,0,0,1.75,0,1.75,1,60,45,0.2\n"},
    Values{"rigid_impact_map",
           "given: bodies\nfirst:\n  mass: 2 kg\n"
           "  moments: [0.008 kg m^2, 0.008 kg m^2, 0.008 kg m^2]\n"
           "  position: [0, 0, 0.1 m]\n  velocity: [0, 0, -1 m/s]\n"
           "frame: {point: [0, 0, 0], normal: [0, 0, 1]}\nfriction: [0, 0.1, 0.3]\n"},
    Values{"scheme_comparison",
           "{beam}contact: {law: hertz}\nlocation: {xi: 0.68}\nsample_rate: 2.5 MHz\nhalvings: 3\n"
           "schemes:\n  - {scheme: newmark_beta}\n  - {scheme: verlet}\n"},
    Values{"six_mass_body",
           "masses: {x: 0.03 kg, y: 65 kg, z: 50 kg}\ndistances: {x: 10 m, y: 1 m, z: 1 m}\n"
           "normal: [0.25, 0.36, -0.9]\nvelocity: [-0.06 m/s, -0.7 m/s, -0.23 m/s]\nmu: 3.7\n"},
    Values{"sliding_rod",
           "mass: 1 kg\nlength: 1 m\nspeed: 1 m/s\nangles: [20 deg, 40 deg, 60 deg]\n"
           "friction: [0.5, 1.3, 3]\nrelative_friction: [0.5, 1, 2]\n"},
    Values{"sphere_impact",
           "sphere: {radius: 100 mm, material: steel}\ntarget: {shape: plane}\n"
           "motion: {given: components, normal_speed: 0.2 m/s}\ncontact: {law: hertz}\n"},
    Values{"structure_impact",
           "sphere: {radius: 5 mm, material: steel}\nspeed: 1 m/s\n"
           "target: {shape: plate, thickness: 5 mm, material: glass}\n"},
    Values{"virtual_experiment",
           "{beam}locations: {from: 0.3, to: 0.9, points: 7}\nrepeats: 3\n"
           "scatter: {speed: 5 %, location: 0.5 mm}\n"},
};

/// The problems that begin with the word, or else the nearest one.
std::string hint_for(const std::string& problem) {
    std::vector<std::string> names, beginning;
    for (const Values& values : all_values) {
        names.emplace_back(values.problem);
        if (names.back().starts_with(problem + "_")) beginning.push_back("`" + names.back() + "`");
    }
    if (!beginning.empty()) return "did you mean " + core::listed(beginning) + "?";
    const auto nearest = core::nearest_word(problem, names);
    return nearest ? "did you mean `" + *nearest + "`?"
                   : "`stoss list problems` shows what there is";
}

const Values& values_of(const std::string& problem) {
    const auto* const found = std::ranges::find(all_values, problem, &Values::problem);
    if (found != all_values.end()) return *found;
    throw core::InputError({{"", 0, 0, {"new", problem, "is not a problem", hint_for(problem)}}});
}

std::string yaml_of(const Values& values) {
    std::string text(values.yaml);
    if (text.starts_with("{beam}")) text.replace(0, 6, pinned_beam);
    if (text.starts_with("{rod}")) text.replace(0, 5, tilted_rod);
    return fmt::format("problem: {}\n{}", values.problem, text);
}

bool is_flat(const io::Node& node) {
    return node.kind != io::Node::Kind::mapping || node.entries.empty();
}

/// A line for each key, with what it means behind it.
void write_keys(const io::Node& mapping, const Keys& keys, std::size_t indent, std::string& text) {
    for (const io::Node::Entry& entry : mapping.entries) {
        const io::KeyDescription* const key = key_named(keys, entry.key);
        text += std::string(indent, ' ') + entry.key + ':';
        if (is_flat(entry.value)) text += ' ' + io::to_yaml_line(entry.value);
        if (key != nullptr) text += "  # " + key->meaning;
        text += '\n';
        if (!is_flat(entry.value) && key != nullptr)
            write_keys(entry.value, key->value.keys, indent + 2, text);
    }
}

}  // namespace

StartingCase starting_case(const std::string& problem) {
    const Values& values = values_of(problem);
    const Description description = description_of(problem);
    const io::Document document = io::parse_yaml(yaml_of(values), problem);
    StartingCase made;
    made.text = fmt::format("# {}: {}.\n# `stoss describe {} KEY` explains a key.\n", problem,
                            description.meaning, problem);
    write_keys(document.root, description.keys, 0, made.text);
    made.text += "\n# Keys that may be left out:\n";
    for (const io::KeyDescription& key : description.keys) {
        if (document.root.find(key.key) != nullptr) continue;
        made.text += fmt::format("# {}:  # {}\n", key.key, key.meaning);
    }
    if (!values.file.empty()) made.files.emplace_back(values.file, values.content);
    return made;
}

std::string write_starting_case(const std::string& problem, const std::string& file, bool force) {
    namespace fs = std::filesystem;
    const StartingCase made = starting_case(problem);
    const fs::path path = file.empty() ? fs::path(problem + ".stoss.yaml") : fs::path(file);
    std::vector<std::pair<std::string, std::string>> files{{path.string(), made.text}};
    for (const auto& [name, content] : made.files)
        files.emplace_back((path.parent_path() / name).string(), content);
    for (const auto& [name, content] : files) {
        if (!force && fs::exists(name))
            throw core::InputError({{name,
                                     0,
                                     0,
                                     {"", "", "exists already",
                                      "give another name, or replace the file with --force"}}});
    }
    std::string words;
    for (const auto& [name, content] : files) {
        io::write_text(name, content);
        words += fmt::format("written: {}\n", name);
    }
    return words + fmt::format("next:    stoss run {}\n", path.string());
}

}  // namespace stoss::solvers
