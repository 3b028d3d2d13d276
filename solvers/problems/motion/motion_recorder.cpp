#include <solvers/problems/motion/motion_recorder.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

#include <models/motion_picture.hpp>
#include <solvers/problems/motion/motion_ending.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/state_numbers.hpp>
#include <stoss/io/vtk.hpp>

namespace stoss::solvers {

namespace {

struct ImpactColumn {
    const char* name;
    double (*value)(const motion::Impact&);
};

constexpr ImpactColumn impact_columns[] = {
    {"start_s", [](const motion::Impact& i) { return i.start; }},
    {"end_s", [](const motion::Impact& i) { return i.end; }},
    {"approach_speed_m_per_s", [](const motion::Impact& i) { return i.approach_speed; }},
    {"separation_speed_m_per_s", [](const motion::Impact& i) { return i.separation_speed; }},
    {"cor",
     [](const motion::Impact& i) {
         return i.approach_speed > 0.0 ? i.separation_speed / i.approach_speed : io::no_number;
     }},
    {"impulse_N_s", [](const motion::Impact& i) { return i.impulse; }},
    {"peak_force_N", [](const motion::Impact& i) { return i.peak_force; }},
    {"loss_J", [](const motion::Impact& i) { return i.loss; }},
};
constexpr ImpactColumn columns_of_friction[] = {
    {"tangential_impulse_N_s", [](const motion::Impact& i) { return i.tangential_impulse; }},
    {"slip_m", [](const motion::Impact& i) { return i.slip; }},
    {"friction_loss_J", [](const motion::Impact& i) { return i.friction_loss; }},
};
constexpr ImpactColumn columns_in_space[] = {
    {"lateral_impulse_N_s", [](const motion::Impact& i) { return i.lateral_impulse; }},
    {"lateral_slip_m", [](const motion::Impact& i) { return i.lateral_slip; }},
};

}  // namespace

std::size_t tangents_of(const models::MotionModel& model) {
    return models::is_spatial(model) ? 2 : 1;
}

MotionFrames::MotionFrames(const MotionOutput& output)
    : samples_(static_cast<std::size_t>(output.samples)),
      frames_(std::min(static_cast<std::size_t>(output.frames), samples_)) {}

void MotionFrames::take(std::size_t k, const motion::ImpactMotion& moving) {
    if (frames_ == 0 ||
        (k > 0 && k * (frames_ - 1) / (samples_ - 1) == (k - 1) * (frames_ - 1) / (samples_ - 1)))
        return;
    kept_.push_back(moving.time());
    core::put(kept_, moving.coordinates());
}

void MotionFrames::put(std::vector<double>& numbers) const {
    numbers.push_back(static_cast<double>(kept_.size()));
    core::put(numbers, kept_);
}
void MotionFrames::take_up(std::span<const double>& numbers) {
    kept_.resize(static_cast<std::size_t>(core::take(numbers)));
    core::take(numbers, kept_);
}

void MotionFrames::add_to(Outcome& outcome, const models::MotionModel& model,
                          const models::MotionSystem& made) const {
    if (kept_.empty()) return;
    const models::MotionPicture picture(model, made);
    const std::size_t row = made.system.modes() + 1;
    std::vector<double> bodies;
    for (const std::size_t body : picture.bodies()) bodies.push_back(static_cast<double>(body + 1));
    std::vector<io::Frame> frames;
    for (std::size_t at = 0; at < kept_.size(); at += row) {
        core::throw_if_stopped();
        const std::span<const double> coordinates(&kept_[at + 1], row - 1);
        io::Polyline lines{picture.points(), {}, {}, picture.lines()};
        std::vector<double> displacements = picture.displacements(kept_[at], coordinates);
        for (std::size_t i = 0; i < displacements.size(); ++i)
            lines.points[i / 3][i % 3] += displacements[i];
        lines.point_arrays = {{"displacement_m", 3, std::move(displacements)}, {"body", 1, bodies}};
        frames.push_back({kept_[at], std::move(lines)});
    }
    io::add_series(outcome.files, "vtk/motion", frames);
}

MotionRecorder::MotionRecorder(const models::MotionModel& model, const models::MotionSystem& made,
                               std::size_t most)
    : model_(model),
      made_(made),
      most_(most),
      gaps_(size()),
      rates_(size()),
      forces_(size()),
      tangents_(tangents_of(model)),
      largest_angles_(model.bodies.size(), 0.0) {
    for (auto* const each : {&friction_, &slips_})
        for (auto& component : *each) component.resize(size());
}

void MotionRecorder::take(const motion::ImpactMotion& moving) {
    times_.push_back(moving.time());
    for (std::size_t i = 0; i < size(); ++i) {
        const std::size_t c = made_.order[i];
        gaps_[i].push_back(-moving.overlap(c));
        rates_[i].push_back(-moving.overlap_rate(c));
        forces_[i].push_back(moving.force(c));
        if (!model_.contacts[i].friction) continue;
        for (std::size_t d = 0; d < tangents_; ++d) {
            friction_[d][i].push_back(moving.tangential_force(c)[d]);
            slips_[d][i].push_back(moving.slip_rate(c)[d]);
        }
    }
    const motion::MotionEnergy energy = moving.energy();
    modes_.push_back(energy.modes);
    contacts_.push_back(energy.contacts);
    lost_.push_back(energy.contact_loss + energy.friction_loss + energy.structural_loss);
    work_.push_back(energy.load_work + energy.drive_work);
    note_angles(model_, made_, moving, largest_angles_);
}

void MotionRecorder::take(const motion::Impact& impact, const motion::ImpactMotion& moving) {
    note_angles(model_, made_, moving, largest_angles_);
    ++count_;
    if (most_ == 0) return;
    if (impacts_.size() == most_) impacts_.pop_front();
    impacts_.push_back(impact);
    // Without friction the contact has no tangent along which a slip would be followed.
    if (!made_.system.contacts[impact.contact].friction)
        impacts_.back().slip = impacts_.back().lateral_slip = io::no_number;
}

void MotionRecorder::put(std::vector<double>& numbers) {
    numbers.push_back(static_cast<double>(count_));
    for (const std::vector<double>* const column : columns()) {
        numbers.push_back(static_cast<double>(column->size()));
        core::put(numbers, *column);
    }
    numbers.push_back(static_cast<double>(impacts_.size()));
    for (const motion::Impact& each : impacts_) core::put_bytes(numbers, each);
    core::put(numbers, largest_angles_);
}
void MotionRecorder::take_up(std::span<const double>& numbers) {
    count_ = static_cast<std::size_t>(core::take(numbers));
    for (std::vector<double>* const column : columns()) {
        column->resize(static_cast<std::size_t>(core::take(numbers)));
        core::take(numbers, *column);
    }
    impacts_.resize(static_cast<std::size_t>(core::take(numbers)));
    for (motion::Impact& each : impacts_) core::take_bytes(numbers, each);
    core::take(numbers, largest_angles_);
}

io::Table MotionRecorder::history() {
    io::Table table;
    table.add("time_s", std::move(times_));
    for (std::size_t i = 0; i < size(); ++i) {
        const std::string& name = model_.contacts[i].name;
        table.add("gap_" + name + "_m", std::move(gaps_[i]));
        table.add("rate_" + name + "_m_per_s", std::move(rates_[i]));
        table.add("force_" + name + "_N", std::move(forces_[i]));
        if (!model_.contacts[i].friction) continue;
        for (std::size_t d = 0; d < tangents_; ++d) {
            table.add(tangential_names[d] + ("force_" + name) + "_N", std::move(friction_[d][i]));
            table.add(slip_names[d] + ("rate_" + name) + "_m_per_s", std::move(slips_[d][i]));
        }
    }
    table.add("energy_modes_J", std::move(modes_));
    table.add("energy_contacts_J", std::move(contacts_));
    table.add("energy_lost_J", std::move(lost_));
    table.add("work_J", std::move(work_));
    return table;
}

io::Table MotionRecorder::impact_table() const {
    io::Table table;
    std::vector<std::int64_t> numbers;
    std::vector<std::string> names;
    const std::size_t before = count_ - impacts_.size();
    for (const motion::Impact& each : impacts_) {
        numbers.push_back(static_cast<std::int64_t>(before + numbers.size()) + 1);
        names.push_back(name_of(each.contact));
    }
    table.add("impact", std::move(numbers));
    table.add("contact", std::move(names));
    const auto add = [&](std::span<const ImpactColumn> columns) {
        for (const ImpactColumn& column : columns) {
            std::vector<double> values;
            for (const motion::Impact& each : impacts_) values.push_back(column.value(each));
            table.add(column.name, std::move(values));
        }
    };
    add(impact_columns);
    if (!has_friction(model_)) return table;
    add(columns_of_friction);
    if (tangents_ == 2) add(columns_in_space);
    return table;
}

std::vector<std::vector<double>*> MotionRecorder::columns() {
    std::vector<std::vector<double>*> all{&times_, &modes_, &contacts_, &lost_, &work_};
    for (auto* const list :
         {&gaps_, &rates_, &forces_, &friction_[0], &friction_[1], &slips_[0], &slips_[1]})
        for (std::vector<double>& column : *list) all.push_back(&column);
    return all;
}

std::string MotionRecorder::name_of(std::size_t place) const {
    for (std::size_t i = 0; i < size(); ++i)
        if (made_.order[i] == place) return model_.contacts[i].name;
    return "";
}

}  // namespace stoss::solvers
