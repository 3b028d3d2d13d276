// `--set` of a key that chooses another alternative.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <solvers/app/settings.hpp>
#include <solvers/case/refusal.hpp>
#include <stoss/core/shortened.hpp>

namespace {

using namespace stoss;

/// A restitution with linear damping, to which the settings are applied.
io::Document changed(const std::vector<std::string>& settings) {
    io::Document document = io::parse_yaml(
        "problem: restitution\nmass: 1 kg\nspeed: 1 m/s\n"
        "contact: {law: linear_damping, stiffness: 1e6, damping: 5}\n",
        "case.yaml");
    solvers::apply_settings(document, settings);
    return document;
}

TEST(Settings, AKeyThatIsSetIsKeptBesideAnotherAlternative) {
    const io::Document document = changed({"contact.law=viscoelastic", "contact.damping=6"});
    EXPECT_NE(document.root.find("contact")->find("damping"), nullptr);
}

TEST(Settings, AKeyWhoseNameBeginsOneThatIsSetIsLeftOut) {
    const io::Document document =
        changed({"contact.law=viscoelastic", "contact.damping_factor=1e-3"});
    const io::Node& contact = *document.root.find("contact");
    EXPECT_EQ(contact.find("damping"), nullptr);
    EXPECT_NE(contact.find("damping_factor"), nullptr);
    EXPECT_NE(contact.find("stiffness"), nullptr);
}

/// What is said of these settings of that case.
std::vector<core::Diagnostic> refused(const std::vector<std::string>& settings) {
    try {
        solvers::under_settings("case.yaml", settings, [&] {
            const io::Document document = changed(settings);
            solvers::refuse(document, {{"mass", "5 furlong", "is a length", ""},
                                       {"contact.stiffness", "", "is missing", ""},
                                       {"speed", "1 m/s", "is too slow", ""}});
        });
    } catch (const core::InputError& error) {
        return error.diagnostics();
    }
    return {};
}

TEST(Settings, WhatIsWrongWithAKeyIsToldOfTheSettingThatGaveIt) {
    const auto found = refused({"mass=1 kg", "mass=5 furlong", "contact={law: hertz}"});
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(core::to_string(found[0]),
              "--set mass=5 furlong: error: mass: 5 furlong: is a length");
    EXPECT_EQ(core::to_string(found[2]),
              "--set contact={law: hertz}: error: contact.stiffness: is missing");
    EXPECT_EQ(core::to_string(found[1]), "case.yaml:3:8: error: speed: 1 m/s: is too slow");
}

TEST(Settings, AKeyWhoseNameBeginsThatOfASettingIsOfTheCase) {
    const auto found = refused({"speed_limit=1", "mass.unit=2"});
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].violation.key, "mass.unit");  // the case has a single value there
    for (const core::Diagnostic& each : refused({"speed_limit=1"}))
        EXPECT_EQ(each.file, "case.yaml");
}

TEST(Settings, LongSettingsAreCutInMessages) {
    const std::string many(100'000, 'a');
    for (const std::string& setting :
         {many, many + "=1", many + "." + many + "=1", "mass." + many + "=1", "mass=" + many,
          many + "=[", "expect." + many + "=1", "problem." + many + "=1"}) {
        try {
            solvers::under_settings("case.yaml", {setting}, [&] {
                const io::Document document = changed({setting});
                const std::string key = setting.substr(0, setting.find('='));
                solvers::refuse(document, {{key, "", "is wrong", ""}});
            });
            FAIL();
        } catch (const core::InputError& error) {
            EXPECT_LT(std::string(error.what()).size(), 500u) << setting.substr(0, 20);
        }
    }
}

TEST(Shortened, ATextIsCutBetweenTwoLetters) {
    EXPECT_EQ(core::shortened("12345", 5), "12345");
    EXPECT_EQ(core::shortened("123456", 5), "12345...");
    EXPECT_EQ(core::shortened("1234\u00e9", 5), "1234...");
    EXPECT_EQ(core::shortened("\u00e9\u00e9", 1), "...");
}

}  // namespace
