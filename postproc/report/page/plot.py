#!/usr/bin/env python3
"""Draws the figures of this run by matplotlib, to be changed at will: plot.py [NAME...] [--width MM] [--format svg,png,pdf]

Reads figures.json beside it. It holds the curves, areas, marks and notes of the figures; lines of more than 2000 points
are without the points that cannot be seen, and the second scale at the top of a figure is not in it.
Writes NAME_plot.FORMAT beside it.
"""

import argparse
import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.collections  # noqa: E402
import matplotlib.colors  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
# By the number of a symbol, as in the figures.
SYMBOLS = "os^Dvosx"
HOLLOW = (5, 6)
MM_PER_INCH = 25.4
PX_PER_INCH = 96.0

plt.rcParams.update({"font.size": 8, "axes.linewidth": 0.5, "axes.grid": True, "grid.color": "#DDDDDD",
                     "grid.linewidth": 0.4, "legend.frameon": False, "svg.fonttype": "none", "svg.hashsalt": "stoss"})


def numbers(column):
    return [float("nan") if value is None else value for value in column]


def line_style(dashes):
    """"(9,5)" of the figure as matplotlib has it."""
    return "-" if dashes == "solid" else (0, tuple(float(part) / 2 for part in dashes.strip("()").split(",")))


def has_place(axis, value):
    return value == value and (value > 0 or not axis["logarithmic"])


def lone_points(panel, x, y):
    """Indices of the points between two gaps, which a line does not show."""
    seen = [False, *(has_place(panel["x"], a) and has_place(panel["y"], b) for a, b in zip(x, y)), False]
    return [i for i in range(len(x)) if seen[i + 1] and not seen[i] and not seen[i + 2]]


def draw_curve(axes, panel, curve, columns):
    x, y = numbers(columns[curve["x"]]), numbers(columns[curve["y"]])
    marked = range(len(x)) if curve["drawn"] != "line" else lone_points(panel, x, y)
    style = {"color": curve["color"], "linestyle": line_style(curve["dashes"]) if curve["drawn"] != "points" else "none",
             "linewidth": 0.75 * curve["width"], "label": curve["title"] if curve["in_legend"] else None}
    if marked:
        symbol = curve["symbol"] % len(SYMBOLS)
        style.update(marker=SYMBOLS[symbol], markersize=4, markevery=list(marked))
        if symbol in HOLLOW:
            style.update(markerfacecolor="none")
    if "error" in curve or "x_error" in curve:
        bars = {name: numbers(columns[curve[key]]) for name, key in (("yerr", "error"), ("xerr", "x_error"))
                if key in curve}
        axes.errorbar(x, y, capsize=2, elinewidth=0.6, **bars, **style)
    else:
        axes.plot(x, y, **style)


def draw_tiles(figure, axes, tiles, columns):
    x, y, values = (numbers(columns[tiles[key]]) for key in ("x", "y", "value"))
    boxes = [plt.Rectangle((a - tiles["width"] / 2, b - tiles["height"] / 2), tiles["width"], tiles["height"])
             for a, b, value in zip(x, y, values) if value == value]
    cells = matplotlib.collections.PatchCollection(boxes, cmap="viridis")
    cells.set_array([value for value in values if value == value])
    cells.set_clim(tiles["scale"]["low"], tiles["scale"]["high"])
    axes.add_collection(cells)
    figure.colorbar(cells, ax=axes)


def add_scale(figure, axes, panel):
    """The scale of lines that are coloured by a value."""
    scale = panel["curve_scale"]
    colors = matplotlib.colors.LinearSegmentedColormap.from_list("values", scale["colors"])
    figure.colorbar(plt.cm.ScalarMappable(plt.Normalize(scale["low"], scale["high"]), colors), ax=axes)


def draw_panel(figure, axes, panel, columns, legend_columns):
    for band in panel["bands"]:
        look = {"facecolor": "none", "hatch": "//", "edgecolor": "#B0B0B0"} if band["hatched"] else {"facecolor": "#EAF1F7"}
        axes.axvspan(band["low"], band["high"], linewidth=0, zorder=0, **look)
    for fill in panel["fills"]:
        axes.fill_between(*(numbers(columns[fill[key]]) for key in ("x", "low", "high")), color=fill["color"], linewidth=0)
    if "tiles" in panel:
        draw_tiles(figure, axes, panel["tiles"], columns)
    for curve in panel["curves"]:
        draw_curve(axes, panel, curve, columns)
    if "curve_scale" in panel:
        add_scale(figure, axes, panel)
    for name in "xy":
        axis = panel[name]
        getattr(axes, f"set_{name}scale")("log" if axis["logarithmic"] else "linear")
        getattr(axes, f"set_{name}lim")(axis["low"], axis["high"])
        getattr(axes, f"set_{name}label")(axis["label"])
    for marker in panel["markers"]:
        axes.axvline(marker["x"], color="#404040", linestyle=":", linewidth=0.7)
        axes.annotate(marker["label"], (marker["x"], 1), xycoords=("data", "axes fraction"), xytext=(3, -9),
                      textcoords="offset points")
    for note in panel["notes"]:
        height, where = (0.95, "axes fraction") if note["y"] is None else (note["y"], "data")
        axes.annotate(note["text"], (note["x"], height), xycoords=("data", where), ha="center", va="center", fontsize=7)
    axes.set_title(panel["name"], loc="left", fontsize=8)
    if any(curve["in_legend"] for curve in panel["curves"]):
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.08 if panel["name"] else 1), borderaxespad=0.3, ncol=legend_columns,
                    fontsize=7, title=panel["legend_title"] or None, title_fontsize=7, alignment="left")


def draw(data, width_mm):
    panels = data["panels"]
    heights = [panel["height"] + (45 if any(curve["in_legend"] for curve in panel["curves"]) else 20) for panel in panels]
    # The heights suit a width of 90 mm.
    figure, all_axes = plt.subplots(len(panels), 1, squeeze=False, layout="constrained",
                                    figsize=(width_mm / MM_PER_INCH, (sum(heights) + 40) / PX_PER_INCH * (width_mm / 90) ** 0.5),
                                    gridspec_kw={"height_ratios": heights})
    for i, (axes, panel) in enumerate(zip(all_axes[:, 0], panels)):
        draw_panel(figure, axes, panel, data["columns"], max(1, int(width_mm / 45)))
        shared = i + 1 < len(panels) and not panel["own_x"] and not panels[i + 1]["own_x"]
        if shared:
            axes.set_xlabel("")
            axes.tick_params(labelbottom=False)
    return figure


def main():
    parser = argparse.ArgumentParser(description="Draws the figures of this run by matplotlib.")
    parser.add_argument("names", nargs="*", help="figures; all if none is named")
    parser.add_argument("--width", type=float, default=160.0, help="of each figure [mm]")
    parser.add_argument("--format", default="svg", help="one or more of svg, png and pdf, with commas")
    given = parser.parse_args()
    figures = json.loads((FOLDER / "figures.json").read_text(encoding="utf-8"))["figures"]
    known = [data["name"] for data in figures]
    if unknown := [name for name in given.names if name not in known]:
        parser.error(f"no figure {', '.join(unknown)}; there are {', '.join(known)}")
    for data in figures:
        if given.names and data["name"] not in given.names:
            continue
        figure = draw(data, given.width)
        for kind in given.format.split(","):
            target = FOLDER / f"{data['name']}_plot.{kind}"
            figure.savefig(target, dpi=300)
            print(target)
        plt.close(figure)


if __name__ == "__main__":
    main()
