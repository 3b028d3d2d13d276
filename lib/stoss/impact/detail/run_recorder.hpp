#pragma once
/// What a run of the splitting scheme writes down as it goes: samples for a history, and its pieces
/// for those who go through it once more. Either may be left out.

#include <cstddef>

#include <stoss/contact/contact.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/collision_record.hpp>
#include <stoss/impact/detail/collision_sums.hpp>
#include <stoss/impact/detail/run_instant.hpp>
#include <stoss/impact/detail/splitting_motion.hpp>
#include <stoss/impact/detail/splitting_step.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
class RunRecorder {
  public:
    using Record = CollisionRecord<Law>;
    using Kind = typename Record::Kind;

    /// All must live as long as this is used; `record` may be null.
    RunRecorder(Record* record, const RunInstant& at, const contact::Contact<Law>& contact,
                const SplittingMotion& motion, CollisionSums& sums)
        : record_(record), at_(at), contact_(contact), motion_(motion), sums_(sums) {}

    /// For one more run.
    void start(History* history) {
        history_ = history;
        remembered_ = 0;
        sample();
        if (record_) record_->clear(motion_.padded);
    }

    bool has_history() const { return history_ != nullptr; }
    bool has_record() const { return record_ != nullptr; }

    /// The present state, if the history wants it.
    void sample() {
        if (!history_ || !history_->wants(at_.steps)) return;
        history_->add(sums_.sample(at_, contact_.stored_energy(at_.x)));
    }

    /// A sub-impact begins, at this rate [m/s] of the overlap.
    void note_onset(double rate) {
        onset_rate_ = rate;
        note(Kind::onset);
    }
    void note_resumption() { note(Kind::resumed); }
    void note_separation() { note(Kind::separated); }

    /// A step in contact, before it is accepted; `end_force` [N].
    void note_step(const SplittingStep& step, double end_force) {
        if (!record_) return;
        Piece& piece = *note(Kind::step);
        piece.length = step.flow->step;
        piece.flow = step.flow;
        piece.nodes = step.nodes.force;
        piece.node_x = step.nodes.x;
        piece.node_v = step.nodes.v;
        piece.end = step.end;
        piece.end_force = end_force;
    }
    /// What the law remembers may be the overlap at the end of the step.
    void note_memory() {
        if constexpr (contact::Hysteretic<Law>) {
            if (record_ && contact_.kink_overlap() > record_->back().contact.kink_overlap())
                remembered_ = record_->size() - 1;
        }
    }
    /// The contact ends with a step.
    void note_end_of_contact() {
        if (record_ && record_->back().kind == Kind::step) note(Kind::end);
    }
    /// The rest of a contact, which would take this time [s].
    void note_rest(double length) {
        if (Piece* const piece = note(Kind::rest)) piece->length = length;
    }

    /// A free motion to the overlap `edge` [m].
    void begin_free_motion(double edge) {
        begin_of_free_ = at_.time;
        if (Piece* const piece = note(Kind::free)) piece->edge = edge;
    }
    void end_free_motion(bool crosses) {
        if (!record_) return;
        record_->back().length = at_.time - begin_of_free_;
        record_->back().crosses = crosses;
    }

    /// V_rel vanishes in the last piece: at this fraction of a step, or after this time [s].
    void note_compression(double where) {
        if (!record_) return;
        record_->back().ends_compression = true;
        record_->back().compression = where;
    }
    /// The same at an instant [s] of a free motion.
    void note_compression_at(double time) { note_compression(time - begin_of_free_); }

  private:
    using Piece = typename Record::Piece;

    /// A piece that begins now; null: there is no record.
    Piece* note(Kind kind) {
        if (!record_) return nullptr;
        Piece& piece = record_->add(kind, motion_.now(), at_.approach_velocity, contact_);
        piece.seen = {at_.x, at_.rate};
        piece.force = at_.force;
        piece.acceleration = at_.acceleration;
        piece.onset_rate = onset_rate_;
        piece.remembered = remembered_;
        if constexpr (contact::Hysteretic<Law>) {
            if (remembered_ > 0) piece.largest_overlap = contact_.kink_overlap();
        }
        return &piece;
    }

    Record* record_;
    History* history_ = nullptr;
    const RunInstant& at_;
    const contact::Contact<Law>& contact_;
    const SplittingMotion& motion_;
    CollisionSums& sums_;
    double onset_rate_ = 0.0;     // of the present sub-impact [m/s]
    double begin_of_free_ = 0.0;  // [s]
    std::size_t remembered_ = 0;  // the step of the largest overlap
};

}  // namespace stoss::impact
