#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <stoss/io/vtk.hpp>

namespace {

using stoss::io::add_series;
using stoss::io::Frame;
using stoss::io::Polyline;
using stoss::io::Surface;
using stoss::io::to_pvd;
using stoss::io::to_vtp;

Polyline bent_line() {
    Polyline line;
    line.points = {{0.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {0.3, -1e-300, 2.0}};
    line.point_arrays = {{"displacement_m", 3, {0, 0, 0, 0, 1.0 / 3.0, 0, 0, 5e-324, -0.0}},
                         {"xi", 1, {0.0, 0.1, 1.0}}};
    line.field_values = {{"force_N", 12.5}};
    return line;
}

std::vector<unsigned char> from_base64(const std::string& text) {
    static const std::string letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<unsigned char> bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char letter : text) {
        const std::size_t value = letters.find(letter);
        if (value == std::string::npos) continue;  // blanks and padding
        bits = bits << 6 | static_cast<unsigned>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes.push_back(static_cast<unsigned char>(bits >> count & 0xffu));
        }
    }
    return bytes;
}

/// The doubles of the DataArray `name` of a .vtp file: base64 of their length in bytes (4 or 8
/// bytes, as the header says) and the doubles.
std::vector<double> doubles_of(const std::string& vtp, const std::string& name) {
    const std::size_t at = vtp.find("Name=\"" + name + "\"");
    if (at == std::string::npos) return {};
    const std::size_t tag_begin = vtp.rfind('<', at), tag_end = vtp.find('>', at);
    const std::string tag = vtp.substr(tag_begin, tag_end - tag_begin);
    EXPECT_NE(tag.find("type=\"Float64\""), std::string::npos) << tag;
    EXPECT_NE(tag.find("format=\"binary\""), std::string::npos) << tag;
    std::string body = vtp.substr(tag_end + 1, vtp.find('<', tag_end) - tag_end - 1);
    const std::vector<unsigned char> bytes = from_base64(body);
    const std::size_t head = vtp.find("header_type=\"UInt64\"") != std::string::npos ? 8 : 4;
    std::uint64_t length = 0;
    for (std::size_t i = head; i-- > 0;) length = length << 8 | bytes.at(i);
    EXPECT_EQ(bytes.size(), head + length);
    std::vector<double> doubles(length / sizeof(double));
    std::memcpy(doubles.data(), bytes.data() + head, length);
    return doubles;
}

std::vector<std::uint64_t> bits_of(const std::vector<double>& numbers) {
    std::vector<std::uint64_t> bits;
    for (const double number : numbers) bits.push_back(std::bit_cast<std::uint64_t>(number));
    return bits;
}

TEST(Vtp, HoldsPointsAndArraysBitByBit) {
    const Polyline line = bent_line();
    const std::string vtp = to_vtp(line);
    EXPECT_NE(vtp.find("type=\"PolyData\""), std::string::npos);
    EXPECT_NE(vtp.find("NumberOfPoints=\"3\""), std::string::npos);
    EXPECT_NE(vtp.find("NumberOfLines=\"1\""), std::string::npos);
    EXPECT_EQ(bits_of(doubles_of(vtp, "Points")),
              bits_of({0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.3, -1e-300, 2.0}));
    EXPECT_EQ(bits_of(doubles_of(vtp, "displacement_m")), bits_of(line.point_arrays[0].values));
    EXPECT_EQ(bits_of(doubles_of(vtp, "xi")), bits_of(line.point_arrays[1].values));
    EXPECT_EQ(doubles_of(vtp, "force_N"), std::vector<double>{12.5});
}

TEST(Vtp, IsTheSameEveryTime) {
    EXPECT_EQ(to_vtp(bent_line()), to_vtp(bent_line()));
}

TEST(Vtp, NanIsKept) {
    Polyline line = bent_line();
    line.point_arrays[1].values[1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(doubles_of(to_vtp(line), "xi").at(1)));
}

TEST(Vtp, ArraysThatDoNotFitThePointsAreRefused) {
    Polyline line = bent_line();
    line.point_arrays[0].values.pop_back();
    EXPECT_THROW(to_vtp(line), std::invalid_argument);
    line = bent_line();
    line.point_arrays[0].components = 2;
    EXPECT_THROW(to_vtp(line), std::invalid_argument);
    line = bent_line();
    line.point_arrays[0].components = 0;
    EXPECT_THROW(to_vtp(line), std::invalid_argument);
    line = bent_line();
    line.points.pop_back();
    EXPECT_THROW(to_vtp(line), std::invalid_argument);
    EXPECT_THROW(to_vtp(Polyline{}), std::invalid_argument);
    EXPECT_THROW(to_vtp(Polyline{{{0, 0, 0}}, {}, {}}), std::invalid_argument);
}

TEST(Vtp, HoldsSeveralLines) {
    const Polyline lines{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, {}, {}, {{0, 1}, {2, 3, 2}}};
    EXPECT_NE(to_vtp(lines).find("NumberOfLines=\"2\""), std::string::npos);
    const Polyline bad{{{0, 0, 0}, {1, 0, 0}}, {}, {}, {{0, 2}}};
    EXPECT_THROW(to_vtp(bad), std::invalid_argument);
}

TEST(Vtp, SurfaceHoldsPointsPolygonsAndArrays) {
    const Surface surface{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0.1}, {0, 1, 0}},
                          {{0, 1, 2}, {0, 2, 3}},
                          {{"objective_J", 1, {0.1, 0.2, 0.3, 0.4}}}};
    const std::string vtp = to_vtp(surface);
    EXPECT_NE(vtp.find("NumberOfPoints=\"4\""), std::string::npos);
    EXPECT_NE(vtp.find("NumberOfPolys=\"2\""), std::string::npos);
    EXPECT_EQ(bits_of(doubles_of(vtp, "objective_J")), bits_of({0.1, 0.2, 0.3, 0.4}));
    EXPECT_EQ(bits_of(doubles_of(vtp, "Points")), bits_of({0, 0, 0, 1, 0, 0, 1, 1, 0.1, 0, 1, 0}));
}

TEST(Vtp, SurfaceWithoutPolygonsIsPoints) {
    EXPECT_NE(to_vtp(Surface{{{0, 0, 0}, {1, 0, 0}}, {}, {}}).find("NumberOfVerts=\"2\""),
              std::string::npos);
}

TEST(Vtp, SurfaceWithACornerThatIsNoPointIsRefused) {
    EXPECT_THROW(to_vtp(Surface{{{0, 0, 0}, {1, 0, 0}}, {{0, 1, 2}}, {}}), std::invalid_argument);
    EXPECT_THROW(to_vtp(Surface{}), std::invalid_argument);
    EXPECT_THROW(to_vtp(Surface{{{0, 0, 0}}, {}, {{"a", 1, {1, 2}}}}), std::invalid_argument);
}

TEST(Pvd, NamesFilesAndTimes) {
    EXPECT_EQ(to_pvd({{0.0, "a.vtp"}, {1e-7, "b & \"c\" <d>.vtp"}}),
              "<?xml version=\"1.0\"?>\n"
              "<VTKFile type=\"Collection\" version=\"0.1\">\n"
              "  <Collection>\n"
              "    <DataSet timestep=\"0\" file=\"a.vtp\"/>\n"
              "    <DataSet timestep=\"1e-07\" file=\"b &amp; &quot;c&quot; &lt;d&gt;.vtp\"/>\n"
              "  </Collection>\n"
              "</VTKFile>\n");
}

TEST(VtkSeries, HasOneFileAFrameAndACollectionBesideThem) {
    std::vector<std::pair<std::string, std::string>> files = {{"history.csv", ""}};
    add_series(files, "vtk/beam", {{0.0, bent_line()}, {0.5, bent_line()}});
    ASSERT_EQ(files.size(), 4u);
    EXPECT_EQ(files[1].first, "vtk/beam_0000.vtp");
    EXPECT_EQ(files[2].first, "vtk/beam_0001.vtp");
    EXPECT_EQ(files[3].first, "vtk/beam.pvd");
    EXPECT_EQ(files[1].second, to_vtp(bent_line()));
    EXPECT_EQ(files[3].second, to_pvd({{0.0, "beam_0000.vtp"}, {0.5, "beam_0001.vtp"}}));
}

}  // namespace
