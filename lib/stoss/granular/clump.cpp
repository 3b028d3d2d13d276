#include <stoss/core/elementary.hpp>
#include <stoss/granular/clump.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace stoss::granular {

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int lines_across = 512;

/// Integrals of 1, x and x x^T over some space.
struct Moments {
    double volume = 0.0;
    Vector3d first = Vector3d::Zero();
    Matrix3d second = Matrix3d::Zero();
};

void add_sphere(Moments& sum, const Member& member) {
    const double volume = 4.0 / 3.0 * std::numbers::pi * core::pow(member.radius, 3);
    sum.volume += volume;
    sum.first += volume * member.place;
    sum.second += volume * (member.place * member.place.transpose() +
                            0.2 * member.radius * member.radius * Matrix3d::Identity());
}

/// Integrals of 1, y, z, y^2, y z and z^2 over lines along z at one x. Plain numbers: there are
/// very many lines.
struct LineMoments {
    double one = 0.0, y = 0.0, z = 0.0, yy = 0.0, yz = 0.0, zz = 0.0;

    void add(double at_y, double low, double high) {
        const double length = high - low, middle = 0.5 * (low + high);
        one += length;
        y += length * at_y;
        z += length * middle;
        yy += length * at_y * at_y;
        yz += length * at_y * middle;
        zz += length * (middle * middle + length * length / 12.0);
    }
};

/// Takes `area` times the lines at x off.
void take_off_lines(Moments& sum, double area, double x, const LineMoments& lines) {
    const double l = lines.one, ly = lines.y, lz = lines.z;
    Matrix3d second;
    second << x * x * l, x * ly, x * lz, x * ly, lines.yy, lines.yz, x * lz, lines.yz, lines.zz;
    sum.volume -= area * l;
    sum.first -= area * Vector3d(x * l, ly, lz);
    sum.second -= area * second;
}

/// Where pairs of spheres overlap: a box around that space; empty (low > high) if nowhere.
struct Box {
    Vector3d low = Vector3d::Constant(HUGE_VAL), high = Vector3d::Constant(-HUGE_VAL);
};
Box overlaps_of(std::span<const Member> members) {
    Box box;
    for (std::size_t i = 0; i < members.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const Member &a = members[i], &b = members[j];
            if ((a.place - b.place).norm() >= a.radius + b.radius) continue;
            const Vector3d of_a = Vector3d::Constant(a.radius), of_b = Vector3d::Constant(b.radius);
            box.low = box.low.cwiseMin((a.place - of_a).cwiseMax(b.place - of_b));
            box.high = box.high.cwiseMax((a.place + of_a).cwiseMin(b.place + of_b));
        }
    }
    return box;
}

/// Adds, along z at (x, y), each piece as often as spheres share it beyond the first.
void add_shared(LineMoments& sum, std::span<const Member> members, double x, double y,
                std::vector<std::array<double, 2>>& ends) {
    ends.clear();
    for (const Member& member : members) {
        const double dx = x - member.place.x(), dy = y - member.place.y();
        const double squared = member.radius * member.radius - dx * dx - dy * dy;
        if (squared <= 0.0) continue;
        const double half = std::sqrt(squared);
        ends.push_back({member.place.z() - half, member.place.z() + half});
    }
    std::sort(ends.begin(), ends.end());
    // Lines in the order of their lower ends: each shares with those before it what lies below the
    // highest end so far.
    for (std::size_t i = 1; i < ends.size(); ++i) {
        const double shared = std::min(ends[i - 1][1], ends[i][1]);
        if (shared > ends[i][0]) sum.add(y, ends[i][0], shared);
        ends[i][1] = std::max(ends[i - 1][1], ends[i][1]);
    }
}

}  // namespace

MassProperties mass_properties(std::span<const Member> members) {
    Moments sum;
    for (const Member& member : members) add_sphere(sum, member);
    const Box box = overlaps_of(members);
    const double dx = (box.high.x() - box.low.x()) / lines_across,
                 dy = (box.high.y() - box.low.y()) / lines_across;
    std::vector<std::array<double, 2>> ends;
    for (int i = 0; i < lines_across && dx > 0.0; ++i) {
        const double x = box.low.x() + (i + 0.5) * dx;
        LineMoments lines;
        for (int k = 0; k < lines_across; ++k)
            add_shared(lines, members, x, box.low.y() + (k + 0.5) * dy, ends);
        take_off_lines(sum, dx * dy, x, lines);
    }
    MassProperties result;
    result.volume = sum.volume;
    result.centre = sum.first / sum.volume;
    const Matrix3d second = sum.second - sum.volume * result.centre * result.centre.transpose();
    result.inertia = second.trace() * Matrix3d::Identity() - second;
    return result;
}

PrincipalAxes principal_axes(const Matrix3d& inertia) {
    const Vector3d diagonal = inertia.diagonal();
    const Matrix3d rest = inertia - Matrix3d(diagonal.asDiagonal());
    if (rest.cwiseAbs().maxCoeff() <= 1e-14 * inertia.trace())
        return {diagonal, Eigen::Quaterniond::Identity()};
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(inertia);
    Matrix3d axes = solver.eigenvectors();
    if (axes.determinant() < 0.0) axes.col(0) *= -1.0;
    return {solver.eigenvalues(), Eigen::Quaterniond(axes).normalized()};
}

}  // namespace stoss::granular
