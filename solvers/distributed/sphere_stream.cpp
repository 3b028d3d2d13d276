#include <solvers/distributed/sphere_stream.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace stoss::solvers {

namespace {

class LocalStream final : public SphereStream {
  public:
    LocalStream(const granular::Stepping& stepping, std::vector<granular::Wall> walls,
                double outlet, int threads)
        : assembly_(stepping, std::move(walls), threads), outlet_(outlet) {}

    void add(std::span<const granular::Sphere> spheres) override {
        for (const granular::Sphere& sphere : spheres) assembly_.add(sphere);
        energy_ = assembly_.energy().total();
    }
    void place(std::size_t wall, const Eigen::Vector3d& point) override {
        assembly_.place(wall, point);
    }
    StreamStep step() override;

    double time() const override { return assembly_.time(); }
    std::size_t steps() const override { return assembly_.steps(); }
    std::size_t size() const override { return assembly_.spheres().size(); }
    const std::vector<granular::Wall>& walls() const override { return assembly_.walls(); }
    granular::Energy energy() override { return assembly_.energy(); }
    const granular::Spheres& spheres() override { return assembly_.spheres(); }

    bool is_distributed() const override { return false; }
    std::vector<double> state() override { return assembly_.state(); }
    void restore(std::span<const double> state) override {
        assembly_.restore(state);
        energy_ = assembly_.energy().total();
    }

  private:
    void let_out();

    granular::Assembly assembly_;
    double outlet_;        // [m]
    double energy_ = 0.0;  // as the spheres are now [J]
    std::vector<std::uint32_t> leaving_;
};

void LocalStream::let_out() {
    leaving_.clear();
    const auto& position = assembly_.spheres().position;
    for (std::uint32_t i = 0; i < position.size(); ++i) {
        if (position[i].x() > outlet_) leaving_.push_back(i);
    }
    if (leaving_.empty()) return;
    assembly_.remove(leaving_);
    energy_ = assembly_.energy().total();
}

StreamStep LocalStream::step() {
    if (assembly_.is_pair_list_old()) let_out();
    StreamStep step;
    step.energy_before = energy_;
    step.report = assembly_.step();
    energy_ = step.energy = assembly_.energy().total();
    for (const granular::Motion& motion : assembly_.spheres().motion)
        step.fastest = std::max(step.fastest, motion.v.squaredNorm());
    step.fastest = std::sqrt(step.fastest);
    step.most = size();
    return step;
}

}  // namespace

std::unique_ptr<SphereStream> local_stream(const granular::Stepping& stepping,
                                           std::vector<granular::Wall> walls, double outlet,
                                           int threads) {
    return std::make_unique<LocalStream>(stepping, std::move(walls), outlet, threads);
}

}  // namespace stoss::solvers
