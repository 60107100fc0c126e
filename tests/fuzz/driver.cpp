/// Calls a fuzz target on every file of a corpus, then on damaged copies of them: the same inputs in every run and on
/// every machine. Accepts libFuzzer's flags:
///
///     fuzz_gmsh -runs=500 -seed=1 <folder or file>...
///
/// An input that crashes the target or takes longer than 10 s is saved in the working directory as crash-<target>.

#include "fuzz/damage.hpp"
#include "fuzz/target.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*)());
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* argc, char*** argv);

namespace {

constexpr unsigned max_seconds = 10;
constexpr std::size_t max_bytes = 1 << 16;

std::string crash_file;
const std::string* current = nullptr;

void keep_input() {
  if (!current) return;
  const int file = ::open(crash_file.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0644);
  if (file < 0 || ::write(file, current->data(), current->size()) < 0 || ::close(file) != 0) return;
  std::fprintf(stderr, "the input is in %s\n", crash_file.c_str());
  current = nullptr;
}

void on_signal(int signal) {
  std::fprintf(stderr, signal == SIGALRM ? "an input took more than %u s\n" : "ended by a signal\n", max_seconds);
  keep_input();
  ::_exit(1);
}

void call(const std::string& input) {
  current = &input;
  ::alarm(max_seconds);
  // A separate copy, so that a sanitizer detects reads beyond its end.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  (void)LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  ::alarm(0);
  current = nullptr;
}

bool is_binary(const std::string& bytes) {
  return std::any_of(bytes.begin(), bytes.end(), [](char c) { return c >= 0 && c < ' ' && (c < '\t' || c > '\r'); });
}

/// Applies one to four damages; sometimes the end is that of another file of the corpus.
std::string worse(const std::vector<std::string>& corpus, std::mt19937_64& random) {
  const auto any = [&]() -> const std::string& { return corpus[random() % corpus.size()]; };
  std::string bytes = any();
  if (random() % 8 == 0) {
    const std::string& other = any();
    bytes = bytes.substr(0, random() % (bytes.size() + 1)) + other.substr(random() % (other.size() + 1));
  }
  const bool binary = is_binary(bytes);
  for (auto times = 1 + random() % 4; times > 0; --times)
    bytes = gearshift::test::damaged(std::move(bytes), binary, random);
  if (bytes.size() > max_bytes) bytes.resize(max_bytes);
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  crash_file = "crash-" + fs::path(argv[0]).filename().string();
  std::size_t runs = 0;
  std::uint64_t seed = 1;
  std::vector<fs::path> files;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("-runs="))
      runs = std::stoul(word.substr(6));
    else if (word.starts_with("-seed="))
      seed = std::stoul(word.substr(6));
    else if (fs::is_directory(word))
      std::copy(fs::directory_iterator(word), {}, std::back_inserter(files));
    else
      files.emplace_back(word);
  }
  std::sort(files.begin(), files.end());
  if (LLVMFuzzerInitialize) (void)LLVMFuzzerInitialize(&argc, &argv);
  for (const int signal : {SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) {
    if (__sanitizer_set_death_callback && signal != SIGALRM && signal != SIGABRT) continue;  // it prints the place
    std::signal(signal, on_signal);
  }
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(keep_input);
  std::vector<std::string> corpus;
  for (const fs::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
      std::fprintf(stderr, "error: '%s' cannot be read\n", file.c_str());
      return 1;
    }
    corpus.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "error: no corpus; name a folder or a file\n");
    return 1;
  }
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& input : corpus) call(input);
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < runs; ++i) call(worse(corpus, random));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%zu files and %zu damaged ones read in %.1f s\n", corpus.size(), runs, seconds.count());
  return 0;
}
