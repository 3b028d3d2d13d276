#pragma once
/// The share of one process of the spheres, and the words by which the first process leads the
/// others.

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include <stoss/granular/assembly.hpp>

namespace stoss::solvers {

class ContactFix;

/// What an engine is made of; the same on all processes.
struct EngineSetup {
    granular::Stepping stepping;
    std::vector<granular::Wall> walls;
    /// Spheres live between these corners [m]. One that passes the upper along x is forgotten.
    Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
    double largest_radius = 0.0;  ///< [m]

    std::vector<double> numbers() const;
    static EngineSetup of(std::span<const double> numbers);
};

/// What all processes are asked to do at once.
enum class Word : int { open, add, place, step, energy, spheres, impulses, recall, close, end };

/// Numbers of a sphere in a message: number, radius, mass, position, velocity, angular velocity.
inline constexpr std::size_t sphere_numbers = 12;

/// The answer to Word::step: sums over all processes, then largest values, then what all know.
enum StepNumber : std::size_t {
    step_contacts,
    step_pressing,
    step_overlapping,
    step_error_reduction,
    step_walls,
    step_energy_before,
    step_energy,
    step_spheres,
    step_deepest,
    step_fastest,
    step_most,
    step_is_invalid,
    step_is_signalled,  ///< a process was asked to stop
    step_sweeps,
    step_residual
};

/// One process among those that share the spheres.
class RankSpheres {
  public:
    RankSpheres() = default;
    ~RankSpheres();
    RankSpheres(const RankSpheres&) = delete;
    RankSpheres& operator=(const RankSpheres&) = delete;

    /// Does what a word says; all processes must be called with the same. The answer is complete on
    /// the first process alone.
    std::vector<double> act(Word word, std::span<const double> numbers);

    /// On the first process: tells the others, and does it with them.
    std::vector<double> lead(Word word, std::span<const double> numbers = {});

    /// On the others: does what the first one says, until it says Word::end.
    void follow();

  private:
    void open(const EngineSetup& setup);
    void close();
    void command(const std::string& line);
    std::vector<double> add(std::span<const double> numbers);
    void place(std::span<const double> numbers);
    std::vector<double> step();
    std::vector<double> energy() const;
    std::vector<double> spheres() const;
    std::vector<double> impulses();
    void recall(std::span<const double> numbers);

    void* lammps_ = nullptr;
    ContactFix* fix_ = nullptr;
    bool has_run_ = false;
};

}  // namespace stoss::solvers
