#include <solvers/case/memory.hpp>

#include <unistd.h>

#include <fmt/format.h>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

namespace {

std::string in_words(double bytes) {
    return bytes < 1e12 ? fmt::format("{:.3g} GB", bytes / 1e9)
                        : fmt::format("{:.3g} TB", bytes / 1e12);
}

}  // namespace

double machine_memory() {
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    if (pages <= 0 || size <= 0) return core::infinity;
    return static_cast<double>(pages) * static_cast<double>(size);
}

std::vector<core::Violation> check_memory(const std::string& key, const std::string& value,
                                          double bytes, const std::string& suggestion) {
    const double available = machine_memory();
    if (bytes <= available) return {};
    return {{key, value,
             fmt::format("would take about {} of memory, and this machine has {}", in_words(bytes),
                         in_words(available)),
             suggestion}};
}

std::vector<core::Violation> check_sphere_memory(const std::string& key, const std::string& value,
                                                 double spheres, double frames, double bytes) {
    return check_memory(
        key, value, spheres * (bytes + frames * bytes_per_pictured_sphere),
        fmt::format(
            "use fewer or larger spheres, or fewer frames: now {:.3g} spheres and {} frames",
            spheres, frames));
}

}  // namespace stoss::solvers
