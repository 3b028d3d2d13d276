#pragma once
/// Many rigid spheres as a structure of arrays.

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stoss::granular {

/// A solid homogeneous sphere.
struct Sphere {
    Eigen::Vector3d position = Eigen::Vector3d::Zero();          ///< of its centre [m]
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();          ///< [m/s]
    Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< [rad/s]
    double radius = 0.0;                                         ///< [m], > 0
    double mass = 0.0;                                           ///< [kg], > 0
};

/// What a relaxation of a contact reads and writes of a body: one cache line, for contacts come in
/// an order that no prefetcher foresees.
struct alignas(64) Motion {
    Eigen::Vector3d v = Eigen::Vector3d::Zero();  ///< velocity [m/s]
    Eigen::Vector3d u = Eigen::Vector3d::Zero();  ///< radius times angular velocity [m/s]
    double inverse_mass = 0.0;                    ///< [1/kg]; 0: a wall
    double radius = 0.0;                          ///< [m]
};

/// What a sphere of a clump is fixed to.
struct Attachment {
    std::uint32_t body;     ///< number of the clump
    Eigen::Vector3d place;  ///< of the sphere's centre in the clump's frame [m]
};

/// Spheres, ordered so that neighbours are near each other in memory (see PairList).
class Spheres {
  public:
    std::vector<Motion> motion;
    std::vector<Eigen::Vector3d> position;   ///< [m]
    std::vector<Eigen::Vector3d> reference;  ///< position when pairs were last listed [m]
    std::vector<std::uint32_t> id;           ///< number in the order of `add`, from 0
    std::vector<Attachment> attachment;      ///< empty if the spheres are free
    double extent = 0.0;                     ///< largest distance of two centres of one clump [m]

    std::size_t size() const { return id.size(); }
    Sphere operator[](std::size_t i) const;

    /// Precondition: radius and mass are > 0 and finite.
    void add(const Sphere& sphere, std::uint32_t number);

    /// True if i and j belong to one clump.
    bool is_one_body(std::size_t i, std::size_t j) const {
        return !attachment.empty() && attachment[i].body == attachment[j].body;
    }

    /// Takes out the free spheres at these places (ascending); the others stay in their order.
    void remove(std::span<const std::uint32_t> places);

    /// Moves sphere i to place rank[i] for all i. `rank`, a permutation, is used up.
    void permute(std::vector<std::uint32_t>& rank);

    /// Writes all numbers to `state`, or reads them back.
    void write(std::vector<double>& state) const;
    void read(std::span<const double>& state);

    /// Bytes that the arrays hold.
    std::size_t bytes() const;
};

}  // namespace stoss::granular
