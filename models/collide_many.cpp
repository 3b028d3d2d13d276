#include <models/collide_many.hpp>

#include <atomic>
#include <deque>
#include <vector>

#include <stoss/core/parallel.hpp>

namespace stoss::models {

namespace {

using Request = CollisionList::Request;

/// The collisions of a list, which threads begin one after the other.
class OpenCollisions {
  public:
    explicit OpenCollisions(const CollisionList& list) : list_(list) {}

    /// False: there are no more.
    bool next(Request& request) {
        if (list_.stop && list_.stop()) stopped_ = true;
        const std::size_t i = stopped_ ? list_.count : begun_++;
        if (i >= list_.count) return false;
        request = list_.request(i);
        request.id = i;
        return true;
    }

    /// Calls `work` once on each thread. False if it was stopped.
    template <class Work>
    bool on_threads(const Work& work) {
        const auto threads = static_cast<std::size_t>(core::thread_count(list_.threads));
        core::parallel_for(threads, list_.threads,
                           [&](std::size_t) {
                               try {
                                   work();
                               } catch (...) {
                                   begun_ = list_.count;
                                   throw;
                               }
                           },
                           {});
        return !stopped_;
    }

  private:
    const CollisionList& list_;
    std::atomic<std::size_t> begun_{0};
    std::atomic<bool> stopped_{false};
};

/// The collisions of one thread, each followed by those that it is compared with. These wait until
/// there are several of them: then the collisions that are side by side are of one model, as far as
/// possible, and its tables stay in the cache.
class ComparedCollisions {
  public:
    using TruncationOf = std::function<const Truncation&(std::size_t)>;
    using Finish = std::function<void(std::size_t, std::optional<double>)>;

    ComparedCollisions(OpenCollisions& open, const TruncationOf& truncation, const TakeResult& take,
                       const Finish& finish)
        : open_(open), truncation_(truncation), take_(take), finish_(finish) {}

    bool next(Request& request) {
        compares_ = !waiting_.empty() && (compares_ || waiting_.size() >= at_once);
        if (!compares_ && begin(request)) return true;
        if (waiting_.empty()) return false;
        request = waiting_.front();
        waiting_.pop_front();
        return true;
    }

    void take(std::size_t id, const impact::CollisionResult& result) {
        const std::size_t place = id / parts, part = id % parts;
        if (part == own_part) {
            take_(begun_[place].request.id, result);
            compare(place, result);
        } else {
            begun_[place].cors[part - 1] = restitution_of(result);
        }
        finish_if_all_are_there(place);
    }

  private:
    static constexpr std::size_t at_once = 32;
    static constexpr std::size_t own_part = 0, parts = 1 + Truncation::most_compared;

    struct Begun {
        Request request;
        std::size_t open = 0;  ///< collisions whose results are missing
        Truncation::Restitutions cors{};
    };

    bool begin(Request& request) {
        if (!open_.next(request)) return false;
        if (free_.empty()) {
            free_.push_back(begun_.size());
            begun_.emplace_back();
        }
        const std::size_t place = free_.back();
        free_.pop_back();
        begun_[place] = {request, 1, {}};
        request.id = parts * place + own_part;
        return true;
    }

    void compare(std::size_t place, const impact::CollisionResult& result) {
        Begun& begun = begun_[place];
        const auto compared = truncation_(begun.request.id).compared(result, begun.cors);
        for (std::size_t k = 0; k < compared.size(); ++k) {
            if (compared[k] == nullptr) continue;
            waiting_.push_back({parts * place + 1 + k, compared[k], begun.request.xi});
            ++begun.open;
        }
    }

    void finish_if_all_are_there(std::size_t place) {
        Begun& begun = begun_[place];
        if (--begun.open > 0) return;
        const std::size_t i = begun.request.id;
        finish_(i, truncation_(i).estimate(begun.cors));
        free_.push_back(place);
    }

    OpenCollisions& open_;
    const TruncationOf& truncation_;
    const TakeResult& take_;
    const Finish& finish_;
    bool compares_ = false;
    std::deque<Request> waiting_;
    std::vector<Begun> begun_;
    std::vector<std::size_t> free_;  // places of `begun_`
};

}  // namespace

bool collide(const CollisionList& list, const TakeResult& take) {
    OpenCollisions open(list);
    return open.on_threads([&] {
        BeamModel::collide_all([&](Request& request) { return open.next(request); }, take);
    });
}

bool collide_with_truncation(
    const CollisionList& list, const std::function<const Truncation&(std::size_t)>& truncation,
    const TakeResult& take, const std::function<void(std::size_t, std::optional<double>)>& finish) {
    OpenCollisions open(list);
    return open.on_threads([&] {
        ComparedCollisions collisions(open, truncation, take, finish);
        BeamModel::collide_all([&](Request& request) { return collisions.next(request); },
                               [&](std::size_t id, const impact::CollisionResult& result) {
                                   collisions.take(id, result);
                               });
    });
}

}  // namespace stoss::models
