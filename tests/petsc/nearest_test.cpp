// The rule for suggestions for a misspelled word.

#include "petsc/options/nearest.hpp"

#include "petsc/options/option_catalogue.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gearshift::petsc {
namespace {

const std::vector<std::string> names{"xmin", "xmax", "strain", "von_mises", "E", "quake"};

TEST(Nearest, AsksBackWhatMayBeMeant) {
  EXPECT_EQ(nearest("xmni", names), "xmin");  // exchanged letters count once
  EXPECT_EQ(nearest("XMAX", names), "xmax");
  EXPECT_EQ(nearest("von_mices", names), "von_mises");
  EXPECT_EQ(nearest("quak", names), "quake");
  EXPECT_EQ(nearest("e", names), "E");
}

TEST(Nearest, IsSilentAboutWhatIsFar) {
  for (const char* word : {"nan", "", "f", "roof", "train_set", "nose"}) EXPECT_EQ(nearest(word, names), "") << word;
  EXPECT_EQ(nearest("xmin", std::vector<std::string>{}), "");
}

TEST(Nearest, OfKeysFollowsTheSameRule) {
  const OptionCatalogue catalogue;
  for (const char* key : {"-E", "-nu", "-gear_restart", "-table_<name>", "-gravity"})
    OptionCatalogue::note({"", key, "", "", ""});
  EXPECT_EQ(catalogue.nearest("-gravty"), "-gravity");
  EXPECT_EQ(catalogue.nearest("-restart"), "-gear_restart");
  EXPECT_EQ(catalogue.nearest("-tabel_wind"), "-table_wind");
  EXPECT_EQ(catalogue.nearest("-un"), "-nu");
  EXPECT_EQ(catalogue.nearest("-w"), "");
  EXPECT_EQ(catalogue.nearest("-zebra_crossing_width"), "");  // a long name does not suggest table for zebra
  EXPECT_EQ(catalogue.nearest("-grape"), "");
}

}  // namespace
}  // namespace gearshift::petsc
