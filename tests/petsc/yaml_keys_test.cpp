// Keys of YAML files with their lines, and duplicate keys.

#include "petsc/options/yaml_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace gearshift::petsc {
namespace {

std::string list(const std::string& text) {
  std::string all;
  for (const YamlKey& key : yaml_keys(text)) all += key.name + ":" + std::to_string(key.line) + " ";
  return all;
}

TEST(YamlKeys, HaveTheirLines) {
  EXPECT_EQ(list("# E: 1\nE: 1e6\n\nclamp: [xmin, 'a: b']\n\"nu\" : 0.3 # rho: 2\n"), "E:2 clamp:4 nu:5 ");
  EXPECT_EQ(list("gear:\n  order: 2\n  checkpoint:\n    every: 3\n  dt: 1\nE: 1\n"),
            "gear:1 gear_order:2 gear_checkpoint:3 gear_checkpoint_every:4 gear_dt:5 E:6 ");
  EXPECT_EQ(list("gear: {order: 2, 'dt': 0.1,\n  # no: key\n  rtol: {x: 1, y: \"a, z: 3\"}}\nE: 1"),
            "gear:1 gear_order:1 gear_dt:1 gear_rtol:3 gear_rtol_x:3 gear_rtol_y:3 E:4 ");
  EXPECT_EQ(list("clamp:\n- xmin\n- xmax\nE: 1\n"), "clamp:1 E:4 ");
  EXPECT_EQ(list("gravity: |\n  x: 1\n\n  y: 2\nE: 1\n"), "gravity:1 E:5 ");
  EXPECT_EQ(list("gravity: \"0,\n  y: 0,1\"\nE: 1\r\nnu: 0\r\n"), "gravity:1 E:3 nu:4 ");
  EXPECT_EQ(list("file: a:b\ntable: C:/x # y: 3\n"), "file:1 table:2 ");
}

TEST(YamlKeys, TextsAreCutBetweenLinesThatBelongTogether) {
  const auto cuts = [](const std::string& text) { return yaml_lines(text).size(); };
  EXPECT_EQ(cuts("E: 1\nnu: 0\n"), cuts("E: 1\n") + 1);
  for (const char* begin :
       {"a: [1,", "fields:\n  [u,", "- [u,", "- a: [1,", "- - [1,", "a: &x [1,", "a: !t &x [1,", "{E: [1,"}) {
    const std::string text(begin), end = text[0] == '{' ? "2]}\nE: 1\n" : "2]\nE: 1\n";
    EXPECT_EQ(cuts(text + "\n  " + end), cuts(text + end)) << text;
  }
}

TEST(YamlKeys, OfWhatIsNoYamlEnd) {
  for (const char* text :
       {"a: {]", "a: {b: ]}", "a: [}", "a: \"", "a: '''", "{", "}", "a: {'", ": :", "\"\\", "a: |", "-"})
    EXPECT_LE(yaml_keys(text).size(), 3U) << text;
  const std::string deep(100000, '[');
  EXPECT_EQ(list("a: " + deep), "a:1 ");
}

TEST(YamlKeys, OfTheSameName) {
  EXPECT_EQ(repeated_yaml_key("E: 1\nnu: 0\ngear:\n  E: 3\n"), "");
  EXPECT_EQ(repeated_yaml_key("E: 1\nnu: 0\nE: 2\n"), "sets 'E' twice, in lines 1 and 3; remove one of them");
  EXPECT_EQ(repeated_yaml_key("gear:\n  dt: 1\n  order: 2\n  DT: 2\n"),
            "sets 'gear_DT' twice, in lines 2 and 4; remove one of them");
  EXPECT_EQ(repeated_yaml_key("gear: {dt: 1}\ngear_dt: 2\n"),
            "sets 'gear_dt' twice, in lines 1 and 2; remove one of them");
  EXPECT_EQ(repeated_yaml_key("gear:\n  dt: 1\nE: 1\ngear:\n  order: 2\n"),
            "sets 'gear' twice, in lines 1 and 4; remove one of them");
  EXPECT_EQ(repeated_yaml_key("a: &a {x: 1}\nb:\n  <<: *a\n  <<: *a\n"), "");
}

}  // namespace
}  // namespace gearshift::petsc
