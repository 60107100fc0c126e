#include "dynamics/checkpoint/parts.hpp"

#include <gearshift/petsc/error.hpp>

#include <cctype>
#include <sstream>

namespace gearshift::checkpoint {

std::string PartNames::next(std::string_view name) {
  std::string path;
  for (;;) {
    const std::size_t slash = name.find('/');
    const Kind kind = slash == std::string_view::npos ? Kind::part : Kind::group;
    const std::string wanted = path + std::string(name.substr(0, slash));
    path = wanted;
    const auto taken = [&] {
      const auto found = used_.find(path);
      return found != used_.end() && (kind == Kind::part || found->second == Kind::part);
    };
    for (int n = 2; taken(); ++n) path = wanted + "#" + std::to_string(n);
    used_[path] = kind;
    if (kind == Kind::part) return path;
    path += "/";
    name.remove_prefix(slash + 1);
  }
}

std::string instruction_set() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "x86-64 avx512f";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "x86-64 avx2";
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "unknown";
#endif
}

std::string given_options() {
  char* all = nullptr;
  petsc::check(PetscOptionsGetAll(nullptr, &all));
  std::istringstream text(all ? all : "");
  petsc::check(PetscFree(all));
  std::map<std::string, std::string> pairs;
  std::string* value = nullptr;
  for (std::string word; text >> word;)
    if (word.size() > 1 && word[0] == '-' && (std::isalpha(static_cast<unsigned char>(word[1])) || word[1] == '_'))
      value = &(pairs[word] = "");
    else if (value)
      *value += (value->empty() ? "" : " ") + word;
  std::string lines;
  for (const auto& [key, word] : pairs) lines += key + " " + word + "\n";
  return lines;
}

}  // namespace gearshift::checkpoint
