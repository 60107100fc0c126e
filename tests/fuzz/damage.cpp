#include "fuzz/damage.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace gearshift::test {
namespace {

std::size_t below(std::mt19937_64& random, std::size_t limit) {
  return limit == 0 ? 0 : static_cast<std::size_t>(random() % limit);
}

/// Returns offsets and lengths of words, or of lines including their ends.
std::vector<std::pair<std::size_t, std::size_t>> parts(const std::string& text, bool lines) {
  std::vector<std::pair<std::size_t, std::size_t>> result;
  std::size_t at = 0;
  while (at < text.size()) {
    if (lines) {
      const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
      result.emplace_back(at, end - at);
      at = end;
    } else {
      at = std::min(text.find_first_not_of(" \n", at), text.size());
      const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
      if (end > at) result.emplace_back(at, end - at);
      at = end;
    }
  }
  return result;
}

using Part = std::pair<std::size_t, std::size_t>;

void swap_parts(std::string& bytes, Part a, Part b) {
  if (a.first > b.first) std::swap(a, b);
  if (a.first + a.second > b.first) return;
  const std::string first = bytes.substr(a.first, a.second), second = bytes.substr(b.first, b.second);
  bytes.replace(b.first, b.second, first);
  bytes.replace(a.first, a.second, second);
}

}  // namespace

std::string damaged(std::string bytes, bool binary, std::mt19937_64& random) {
  if (bytes.size() < 4) return bytes + "\n0";
  const std::size_t kind = below(random, 8), at = below(random, bytes.size());
  if (kind == 0) {
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(random, 8)));
  } else if (kind == 1) {
    bytes[at] = binary ? static_cast<char>(below(random, 256)) : "0123456789 -.e\n$\""[below(random, 17)];
  } else if (kind == 2) {
    bytes.resize(at);
  } else if (binary) {
    const std::size_t length = 1 + below(random, 12), other = below(random, bytes.size());
    static constexpr std::int32_t values[] = {0, 1, -1, 2, 3, 7, 17, 1000, 65536, INT32_MAX, INT32_MIN};
    const std::size_t word = std::min(at, bytes.size() - 4);
    const std::int32_t value = values[below(random, std::size(values))];
    if (kind == 3) std::memcpy(bytes.data() + word, &value, 4);
    if (kind == 4) bytes.erase(at, length);
    if (kind == 5) bytes.insert(at, bytes.substr(other, length));
    if (kind == 6) swap_parts(bytes, {word, 4}, {std::min(other, bytes.size() - 4), 4});
    if (kind == 7) bytes[word] = static_cast<char>(bytes[word] + (random() % 2 ? 1 : -1));
  } else {
    const auto words = parts(bytes, false), lines = parts(bytes, true);
    if (words.empty()) return "0\n" + bytes;
    const Part word = words[below(random, words.size())], other = words[below(random, words.size())];
    const Part line = lines[below(random, lines.size())], second = lines[below(random, lines.size())];
    static const char* const values[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "3",
                                         "7",
                                         "17",
                                         "1000",
                                         "99999999",
                                         "2147483647",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "1e400",
                                         "nan",
                                         "x",
                                         ""};
    if (kind == 3) bytes.replace(word.first, word.second, values[below(random, std::size(values))]);
    if (kind == 4) bytes.erase(line.first, line.second);
    if (kind == 5) bytes.insert(line.first, bytes.substr(line.first, line.second));
    if (kind == 6) swap_parts(bytes, word, other);
    if (kind == 7) swap_parts(bytes, line, second);
  }
  return bytes;
}

}  // namespace gearshift::test
