#include <cstddef>
#include <string>

#include <gtest/gtest.h>
#include <stoss/core/error.hpp>
#include <stoss/io/archive.hpp>

namespace {

using stoss::io::tar_archive;

TEST(TarArchive, IsBlocksOf512BytesWithTwoEmptyOnesAtItsEnd) {
    EXPECT_EQ(tar_archive({}), std::string(1024, '\0'));
    EXPECT_EQ(tar_archive({{"a", ""}}).size(), 512U + 1024U);
    EXPECT_EQ(tar_archive({{"a", std::string(512, 'x')}}).size(), 1024U + 1024U);
    EXPECT_EQ(tar_archive({{"a", std::string(513, 'x')}, {"b", "y"}}).size(),
              512U + 1024U + 512U + 512U + 1024U);
}

TEST(TarArchive, HeaderHasNameSizeInOctalDigitsAndTheSumOfItsBytes) {
    const std::string archive = tar_archive({{"run/case.yaml", std::string(100, 'x')}});
    EXPECT_STREQ(archive.c_str(), "run/case.yaml");
    EXPECT_STREQ(archive.c_str() + 124, "00000000144");
    EXPECT_EQ(archive.substr(257, 8), std::string("ustar\0"
                                                  "00",
                                                  8));
    std::size_t sum = 0;
    for (std::size_t i = 0; i < 512; ++i) {
        const bool is_own = i >= 148 && i < 156;  // counted as blanks
        sum += is_own ? static_cast<unsigned char>(' ') : static_cast<unsigned char>(archive[i]);
    }
    EXPECT_EQ(std::stoul(archive.substr(148, 6), nullptr, 8), sum);
    EXPECT_EQ(archive.substr(512, 100), std::string(100, 'x'));
}

TEST(TarArchive, NameThatDoesNotFitIsAnError) {
    EXPECT_NO_THROW(tar_archive({{std::string(100, 'n'), "x"}}));
    EXPECT_THROW(tar_archive({{std::string(101, 'n'), "x"}}), stoss::core::FileError);
}

}  // namespace
