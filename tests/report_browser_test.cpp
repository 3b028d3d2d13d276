/// The report in a browser: headless Chromium shows it without complaint, without network, with
/// every figure in sight.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include <command.hpp>
#include <source_folder.hpp>
#include <stoss/io/file.hpp>

namespace stoss::tests {
namespace {

/// Put into the head of a report: whatever is not in the page itself is refused, and counted.
constexpr const char* guard = R"html(<head>
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<script>
let refused = 0;
document.addEventListener('securitypolicyviolation', () => ++refused);
</script>)html";

/// Appended, so that the document as Chromium prints it tells what Chromium saw.
constexpr const char* probe = R"html(<script>
addEventListener('load', () => {
  const drawings = [...document.querySelectorAll('figure svg')];
  const seen = drawings.filter(svg => {
    const box = svg.getBoundingClientRect();
    return box.width > 100 && box.height > 50;
  });
  const told = document.body.dataset;
  told.figures = document.querySelectorAll('figure').length;
  told.visible = seen.length;
  told.requests = refused + performance.getEntriesByType('resource').length;
  told.overflow = document.documentElement.scrollWidth > window.innerWidth;
  const tables = [...document.querySelectorAll('.scroll')];
  told.cut = tables.filter(table => table.scrollWidth > table.clientWidth).length;

  const data = document.getElementById('figure-data');
  if (!data) return;
  const svg = seen[0], values = document.querySelector('.values'), box = svg.getBoundingClientRect();
  const [left, top, width, height] = JSON.parse(data.textContent).figures[0].places.wide[0];
  const scale = box.width / svg.viewBox.baseVal.width;
  const point = (type, part) => svg.dispatchEvent(new PointerEvent(type, {
    clientX: box.left + scale * (left + part * width), clientY: box.top + scale * (top + 0.5 * height)}));
  const words = () => values.hidden ? 'nothing' : values.innerText.replace(/\s+/g, ' ');
  point('pointermove', 0.5);
  told.hovered = words();
  point('pointerdown', 0.5);
  point('pointermove', 0.9);
  point('pointerleave', 0.9);
  told.pinned = words();
  svg.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));
  told.escaped = words();
  svg.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));
  told.stepped = words();
  const opened = document.querySelector('.history');
  told.closed = opened.hidden;
  svg.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}));
  told.history = opened.hidden ? 'nothing' : opened.innerText.replace(/\s+/g, ' ');
  told.traces = opened.querySelectorAll('svg').length;
});
</script>)html";

/// What Chromium makes of a page, and what it writes to its console.
struct Shown {
    std::string document, log;

    /// An attribute of the body that the probe set.
    std::string data(const std::string& name) const {
        std::smatch match;
        const std::regex attribute("data-" + name + "=\"([^\"]*)\"");
        return std::regex_search(document, match, attribute) ? match[1].str() : "";
    }
};

Shown shown(const TemporaryDirectory& folder, const std::string& page) {
    const std::string file = folder.file("page.html"), head = "<head>";
    const std::size_t at = page.find(head);
    io::write_text(file, page.substr(0, at) + guard + page.substr(at + head.size()) + probe);
    const std::string command =
        std::string("'") + STOSS_CHROMIUM +
        "' --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run "
        "--disable-extensions --disable-background-networking --window-size=1000,900 "
        "--enable-logging=stderr --user-data-dir='" +
        folder.file("profile") + "' --dump-dom 'file://" + file + "' >'" + folder.file("out") +
        "' 2>'" + folder.file("err") + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << io::read_text(folder.file("err"));
    return {io::read_text(folder.file("out")), io::read_text(folder.file("err"))};
}

/// A run of a case of the repository, and its report in the browser.
Shown report_of(const std::string& name, const std::vector<std::string>& settings) {
    const TemporaryDirectory folder;
    std::vector<std::string> arguments{"run", std::string(STOSS_SOURCE_DIR) + "/cases/" + name,
                                       "-o", "run", "--quiet"};
    for (const std::string& setting : settings) {
        arguments.insert(arguments.end(), {"--set", setting});
    }
    const Ended ended = stoss_command(arguments, {.directory = folder.path()});
    EXPECT_EQ(ended.code, 0) << ended.err;
    return shown(folder, io::read_text(folder.file("run/report.html")));
}

void expect_flawless(const Shown& report, const char* figures) {
    EXPECT_EQ(report.data("figures"), figures);
    EXPECT_EQ(report.data("visible"), figures);
    EXPECT_EQ(report.data("requests"), "0");
    EXPECT_EQ(report.data("overflow"), "false");
    EXPECT_EQ(report.data("cut"), "0");  // tables
    EXPECT_EQ(report.log.find("CONSOLE"), std::string::npos) << report.log;
}

TEST(ReportInChromium, OfACollisionIsFlawless) {
    expect_flawless(report_of("published/pinned_beam_single.yaml", {"integration.step=1 us"}), "1");
}

TEST(ReportInChromium, OfAComparisonIsFlawless) {
    expect_flawless(report_of("validation/virtual_experiment_map.yaml", {}), "4");
}

TEST(ReportInChromium, ShowsTheNumbersUnderThePointerAndKeepsThemAfterAClick) {
    const Shown report = report_of("tutorial/ball_dropped_on_a_strip.yaml", {"sweep=none"});
    const std::string hovered = report.data("hovered");
    EXPECT_NE(hovered.find("x_c (mm): 150"), std::string::npos) << hovered;
    EXPECT_NE(hovered.find("coefficient of restitution e_N: 0."), std::string::npos) << hovered;
    EXPECT_EQ(report.data("pinned"), hovered);
    EXPECT_EQ(report.data("escaped"), "nothing");
    EXPECT_NE(report.data("stepped").find("x_c (mm): 10"), std::string::npos)
        << report.data("stepped");
}

TEST(ReportInChromium, ShowsTheCollisionOfAPlaceThatIsAskedFor) {
    const Shown report = report_of("tutorial/ball_dropped_on_a_strip.yaml", {"sweep=none"});
    EXPECT_EQ(report.data("closed"), "true");
    const std::string history = report.data("history");
    EXPECT_NE(history.find("Collision at contact location x_c (mm): 10"), std::string::npos)
        << history;
    EXPECT_NE(history.find("force (N)"), std::string::npos) << history;
    EXPECT_EQ(report.data("traces"), "2");
}

TEST(ReportInChromium, TheProbeSeesWhatIsWrong) {
    const TemporaryDirectory folder;
    const Shown bad = shown(folder,
                            "<html><head></head><body><figure><svg width='0' height='0'></svg>"
                            "</figure><img src='missing.png'><p style='width: 3000px'>wide</p>"
                            "<div class='scroll' style='width: 100px; overflow: auto'>"
                            "<p style='width: 200px'>table</p></div>"
                            "<script>console.error('oh')</script></body></html>");
    EXPECT_EQ(bad.data("figures"), "1");
    EXPECT_EQ(bad.data("visible"), "0");
    EXPECT_NE(bad.data("requests"), "0");
    EXPECT_EQ(bad.data("overflow"), "true");
    EXPECT_EQ(bad.data("cut"), "1");
    EXPECT_NE(bad.log.find("CONSOLE"), std::string::npos) << bad.log;
}

}  // namespace
}  // namespace stoss::tests
