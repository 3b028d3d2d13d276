#pragma once
/// A map of collisions along a beam, as its run wrote it.

#include <string>
#include <vector>

#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// One line of a map: the locations of one swept value, by ascending xi.
struct MapSeries {
    std::string label;  ///< the swept value as in the table; empty if nothing is swept
    Numbers numbers;
    std::vector<std::string> statuses;
    std::string words = {};  ///< the label for the eye, in the unit of the case: "50" of "50 g"
};

struct Map {
    std::string sweep;        ///< the swept key, with its unit as suffix; empty if nothing is swept
    std::string sweep_words;  ///< the same for the eye: "beam.masses[0].mass (g)"
    std::vector<MapSeries> series;
    std::string abscissa = "xi";  ///< the column to draw over
    double length = 1.0;          ///< of the beam, in the unit of the places
    std::string unit;             ///< of the places, "mm"; empty: they are xi = x/l

    bool is_over_places() const { return abscissa == "xi" || abscissa == "x"; }

    /// True if each curve has a restitution somewhere.
    bool has_restitution() const;
    /// True if the run says what further modes would change of the restitution.
    bool has_truncation() const;
};

/// Reads map.csv. Errors: core::FileError if it is missing or has no rows; core::InputError
/// with file and place if a column is missing or a cell is no number.
Map read_map(const Run& run);

/// A map over xi as one over the distance x from the left end, in the unit that suits the length of
/// the beam. A map whose curves are of beams of several lengths, are not over xi, or have no column
/// x_m, as it is.
Map over_lengths(Map map);

/// A map of one place under at least three swept numbers, as one line over those numbers, angles in
/// degrees; any other map as it is.
Map over_sweep(const Map& map);

}  // namespace stoss::postproc
