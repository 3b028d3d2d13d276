// `--set` of a key that chooses another alternative.
#include <gtest/gtest.h>

#include <solvers/app/settings.hpp>

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

}  // namespace
