#pragma once
/// How the runs of each problem are shown: its figures, and its part of the report.

#include <cstddef>
#include <string>
#include <vector>

#include <postproc/report/drawing.hpp>
#include <postproc/report/run_data.hpp>

namespace stoss::postproc {

/// What a click on a point of a curve shows: a collision over time, computed again from case.yaml.
struct PointHistory {
    std::size_t curve = 0;                 ///< of the first panel
    double x = 0.0;                        ///< of the point
    std::vector<double> time, force, gap;  ///< equal lengths [s], [N], [m]
};

/// A figure before it is drawn.
struct Figure {
    std::string name;     ///< of its file: figures/NAME.svg
    std::string caption;  ///< what is seen and how it is defined; `_{...}` is a subscript
    Drawing drawing;
    std::vector<PointHistory> histories = {};  ///< of some points of its first panel
};

/// A section of the report that only some problems have.
struct ReportSection {
    std::string heading;
    std::string content;  ///< HTML; the section is left out if it is empty
};

/// What a report shows beside what every report does. All are HTML.
struct ReportParts {
    std::string badges;                   ///< in the head: how the run ended (`status_badge`)
    std::string warnings;                 ///< `<li>` items beside the warnings of summary.json
    std::string results;                  ///< tables above that of all scalars
    std::string what_was_run;             ///< if empty, the keys of case.yaml are shown
    std::vector<ReportSection> sections;  ///< after the expectations, in this order
};

/// How the runs of a problem are shown. Both functions read the files of the run, and compute only
/// `Figure::histories`; core::FileError and core::InputError if a file is missing or damaged.
struct Report {
    std::vector<Figure> (*figures)(const Run&);
    ReportParts (*parts)(const Run&);
};

}  // namespace stoss::postproc
