#include <stoss/io/file.hpp>

#include <gtest/gtest.h>

#include <filesystem>

#include <stoss/core/error.hpp>
#include <temporary_directory.hpp>

namespace stoss::io {
namespace {

using std::filesystem::perms;

class WrittenFile : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return folder_.file(name); }

  private:
    tests::TemporaryDirectory folder_;
};

TEST_F(WrittenFile, KeepsItsPermissions) {
    write_text(file("a"), "old");
    std::filesystem::permissions(file("a"), perms::owner_all);
    write_text(file("a"), "new");
    EXPECT_EQ(read_text(file("a")), "new");
    EXPECT_EQ(std::filesystem::status(file("a")).permissions(), perms::owner_all);
}

TEST_F(WrittenFile, IsTheTargetOfASymbolicLink) {
    std::filesystem::create_directory(file("data"));
    write_text(file("data/a"), "old");
    std::filesystem::create_symlink("data/a", file("link"));
    write_text(file("link"), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(file("link")));
    EXPECT_EQ(read_text(file("data/a")), "new");
}

TEST_F(WrittenFile, IsNoDirectory) {
    std::filesystem::create_directory(file("a"));
    EXPECT_THROW(write_text(file("a"), "text"), core::FileError);
    EXPECT_TRUE(std::filesystem::is_directory(file("a")));
}

}  // namespace
}  // namespace stoss::io
