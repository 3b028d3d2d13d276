#include <postproc/report/panel_script.hpp>

namespace stoss::postproc {

namespace {

constexpr double px_per_inch = 96.0;
constexpr double pdf_font_scale = 0.5625;          // of pdfcairo, so that text is as wide as in SVG
constexpr double pdf_line_width = 1.75;            // and a line of 1 px as wide
constexpr double pdf_dash_length = 1.1;            // and its dashes as long
constexpr double png_scale = 300.0 / px_per_inch;  // 300 dots an inch
constexpr double png_font_scale = 0.75;            // of pngcairo, like those of pdfcairo
constexpr double png_line_width = 1.0;
constexpr double png_dash_length = 0.35;
constexpr double png_point_scale = 1.3125;  // a point in PDF has the size of one in SVG as it is

void write_terminal(Script& script, const Layout& layout, Format format) {
    if (format == Format::svg) {
        script.line(
            "set terminal svg size {:g},{:g} fixed enhanced font 'Arial,{:g}' butt solid "
            "background rgb 'white'",
            layout.width, layout.height, font_size);
        return;
    }
    if (format == Format::png) {
        script.line(
            "set terminal pngcairo size {:.0f},{:.0f} enhanced font 'Arial,{:g}' fontscale {:g} "
            "linewidth {:g} pointscale {:g} butt dashlength {:g} background rgb 'white'",
            png_scale * layout.width, png_scale * layout.height, font_size,
            png_scale * png_font_scale, png_scale * png_line_width, png_scale * png_point_scale,
            png_scale * png_dash_length);
        return;
    }
    // What pdfcairo calls 9 of a font or 1 of a line is another length than in SVG.
    script.line(
        "set terminal pdfcairo size {:.6f}in,{:.6f}in enhanced font 'Arial,{:g}' fontscale "
        "{:g} linewidth {:g} butt dashlength {:g} background rgb 'white'",
        layout.width / px_per_inch, layout.height / px_per_inch, font_size, pdf_font_scale,
        pdf_line_width, pdf_dash_length);
}

void write_header(Script& script, const Layout& layout, Format format) {
    script.line("set encoding utf8");
    script.line("set minussign");
    write_terminal(script, layout, format);
    script.line("set multiplot");
    script.line("set border 15 lw 0.7 lc rgb '#404040'");
    script.line("set grid xtics ytics lt 1 lc rgb '#DDDDDD' lw 0.5");
    script.line("set tics front in scale 0.4 nomirror font ',{:g}'", tick_font_size);
    script.line("set format '%g'");
    script.line("set lmargin at screen {:.6f}", layout.left_margin / layout.width);
    script.line("set rmargin at screen {:.6f}", (layout.width - right_margin) / layout.width);
    script.line("unset key");
    // A line whose two ends lie on the border may have both a last digit outside of it.
    script.line("set clip two");
    script.line("set pointintervalbox 0");
}

void write_panel(Script& script, const PlacedPanel& panel) {
    script.line("unset label\nunset arrow\nunset object");
    script.line("set tmargin at screen {:.6f}", panel.screen_y(panel.top));
    script.line("set bmargin at screen {:.6f}", panel.screen_y(panel.bottom));
    write_axes(script, panel);
    write_legend(script, panel);
    write_annotations(script, panel);
    write_curves(script, panel);
}

}  // namespace

std::string gnuplot_script(const Drawing& drawing, Format format) {
    const Layout layout(drawing);
    Script script;
    write_header(script, layout, format);
    for (const PlacedPanel& panel : layout.panels) write_panel(script, panel);
    script.line("unset multiplot");
    return script.text();
}

}  // namespace stoss::postproc
