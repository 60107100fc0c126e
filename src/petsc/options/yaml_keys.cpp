#include "petsc/options/yaml_keys.hpp"

#include "petsc/options/key_names.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace gearshift::petsc {
namespace {

/// Scans the text once. Open maps are those that enclose the present position: block maps by their indentation, flow
/// maps by their braces.
class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  std::vector<YamlKey> keys() {
    while (at_ < text_.size()) line();
    return std::move(keys_);
  }
  std::vector<std::size_t> lines() {
    std::vector<std::size_t> begins;
    while (at_ < text_.size()) {
      begins.push_back(at_);
      line();
    }
    return begins;
  }

 private:
  struct Block {
    std::size_t indent;
    std::size_t key;  // in keys_
  };

  bool ended() const { return at_ >= text_.size(); }
  char here() const { return ended() ? '\n' : text_[at_]; }
  void step() {
    if (here() == '\n') ++line_;
    ++at_;
  }
  void to_next_line() {
    while (!ended() && here() != '\n') ++at_;
    step();
  }
  void over_blanks() {
    while (!ended() && (here() == ' ' || here() == '\t')) ++at_;
  }
  /// Skips the quoted text that begins here and returns its content.
  std::string quoted() {
    const char quote = here();
    std::string inside;
    for (step(); !ended(); step()) {
      if (here() == '\\' && quote == '"' && at_ + 1 < text_.size()) {
        step();
      } else if (here() == quote) {
        if (quote == '"' || at_ + 1 >= text_.size() || text_[at_ + 1] != quote) break;
        step();
      }
      inside += here();
    }
    if (!ended()) step();
    return inside;
  }
  static bool ends_word(char next) { return next == ' ' || next == '\t' || next == '\n' || next == '\r'; }
  char after() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\n'; }

  void add(std::string name, int line, const std::string& around) {
    keys_.push_back({around.empty() ? std::move(name) : around + "_" + name, line});
  }

  /// Reads a key and its colon; returns false if the line, or in a flow map the entry, ends before a colon.
  bool key(bool flow, std::string& name) {
    const bool quotes = here() == '"' || here() == '\'';
    name = quotes ? quoted() : "";
    if (quotes) over_blanks();
    for (; !ended() && here() != '\n'; ++at_) {
      if (here() == ':' && (quotes || ends_word(after()) || (flow && (after() == '{' || after() == '[')))) {
        ++at_;
        while (!name.empty() && (name.back() == ' ' || name.back() == '\t')) name.pop_back();
        return !name.empty();
      }
      if (quotes || (flow && (here() == ',' || here() == '}')) || here() == '#') return false;
      name += here();
    }
    return false;
  }

  /// Reads a flow map or list, from its opening to its closing bracket.
  void flow(std::string around) {  // a copy, because keys_ grows
    const bool map = here() == '{';
    const char close = map ? '}' : ']';
    step();
    if (++depth_ > deepest) at_ = text_.size();
    while (!ended() && here() != close) {
      const int line = line_;
      const std::size_t begin = at_;
      std::string name;
      if (here() == '#') {
        to_next_line();
      } else if (here() == ',' || ends_word(here())) {
        step();
      } else if (map && key(true, name)) {
        add(name, line, around);
        value(keys_.size() - 1);
      } else {
        value(keys_.size());
        if (at_ == begin) step();  // an unmatched closing bracket
      }
    }
    if (!ended()) step();
    --depth_;
  }

  /// Reads the value after a key's colon, or an entry of a list (`of` is not a key then), in a flow map or list.
  void value(std::size_t of) {
    over_blanks();
    if (here() == '{' || here() == '[') {
      const bool map = here() == '{' && of < keys_.size();
      return flow(map ? keys_[of].name : "");
    }
    if (here() == '"' || here() == '\'') return (void)quoted();
    while (!ended() && here() != ',' && here() != '}' && here() != ']') step();
  }

  /// Skips blanks, anchors and tags.
  void over_marks() {
    over_blanks();
    while (here() == '&' || here() == '!') {
      while (!ended() && !ends_word(here())) step();
      over_blanks();
    }
  }

  void line() {
    const std::size_t begin = at_;
    over_blanks();
    if (ended() || here() == '\n' || here() == '\r' || here() == '#') return to_next_line();
    const std::size_t indent = at_ - begin;
    const int number = line_;
    while (!blocks_.empty() && blocks_.back().indent >= indent) blocks_.pop_back();
    const std::string around = blocks_.empty() ? "" : keys_[blocks_.back().key].name;
    const bool entry = here() == '-';  // of a list, possibly of lists
    while (here() == '-') {
      step();
      over_blanks();
    }
    std::string name;
    if (here() == '{' || here() == '[') {
      flow(entry ? "" : around);
      return to_next_line();
    }
    if (!key(false, name)) return to_next_line();
    over_marks();
    if (entry) {
      if (here() == '{' || here() == '[') flow("");
      return to_next_line();
    }
    add(name, number, around);
    const std::size_t own = keys_.size() - 1;
    if (here() == '{') {
      flow(keys_[own].name);
    } else if (here() == '[') {
      flow("");
    } else if (here() == '"' || here() == '\'') {
      (void)quoted();
    } else if (here() == '|' || here() == '>') {
      to_next_line();
      return over_scalar(indent);
    } else {
      blocks_.push_back({indent, own});
    }
    to_next_line();
  }

  /// Skips the lines of a block scalar: those indented further than its key, and empty ones.
  void over_scalar(std::size_t indent) {
    while (!ended()) {
      const std::size_t begin = at_;
      over_blanks();
      if (at_ - begin <= indent && !ended() && here() != '\n' && here() != '\r') {
        at_ = begin;
        return;
      }
      to_next_line();
    }
  }

  static constexpr int deepest = 100;

  const std::string& text_;
  std::size_t at_ = 0;
  int line_ = 1, depth_ = 0;
  std::vector<Block> blocks_;
  std::vector<YamlKey> keys_;
};

}  // namespace

std::vector<YamlKey> yaml_keys(const std::string& text) { return Scanner(text).keys(); }

std::vector<std::size_t> yaml_lines(const std::string& text) { return Scanner(text).lines(); }

std::string repeated_yaml_key(const std::string& text) {
  std::map<std::string, int> lines;
  for (const YamlKey& key : yaml_keys(text)) {
    if (key.name == "<<" || key.name.ends_with("_<<")) continue;  // merge keys
    const auto [first, is_new] = lines.emplace(lower(key.name), key.line);
    if (!is_new)
      return "sets '" + key.name + "' twice, in lines " + std::to_string(first->second) + " and " +
             std::to_string(key.line) + "; remove one of them";
  }
  return {};
}

}  // namespace gearshift::petsc
