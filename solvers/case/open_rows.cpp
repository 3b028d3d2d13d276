#include <solvers/case/open_rows.hpp>

#include <string>

#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/io/checkpoint.hpp>

namespace stoss::solvers {

std::vector<double> kept_row(const RunOptions& options, std::size_t index) {
    return options.checkpoint ? options.checkpoint->row(index) : std::vector<double>{};
}

std::vector<std::size_t> open_rows(std::vector<std::vector<double>>& rows,
                                   const RunOptions& options, std::size_t first) {
    std::vector<std::size_t> open;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k] = kept_row(options, first + k);
        if (rows[k].empty() && options.shard.takes(k)) open.push_back(k);
    }
    return open;
}

std::vector<std::vector<double>> compute_open_rows(
    std::size_t count, const RowCount& counted, const RunOptions& options,
    const std::function<std::vector<double>(std::size_t)>& compute) {
    std::vector<std::vector<double>> rows(count);
    const std::vector<std::size_t> open = open_rows(rows, options, counted.first_row);
    core::Progress progress(std::string(counted.items), open.size() * counted.in_a_row,
                            options.quiet);
    core::parallel_for(
        open.size(), options.threads,
        [&](std::size_t i) {
            const std::size_t k = open[i];
            rows[k] = compute(k);
            if (options.checkpoint) options.checkpoint->add(counted.first_row + k, rows[k]);
            progress.advance(counted.in_a_row);
        },
        options.stop);
    return rows;
}

}  // namespace stoss::solvers
