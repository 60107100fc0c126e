/// Checkpoints. The input is used as a file, which has no checksum and is refused; and as the description of one,
/// line by line, from which a file with a valid checksum is made, so that the reader gets errors that a checksum
/// does not detect: parts that are missing, too short, of another kind, or inconsistent with the file's
/// description of them. Lines:
///
///     text|integers|reals <path> <values>     written through HDF5; '|' in a text ends a line, '#numbering' becomes
///                                             the layout's number, '#version' that of the format
///     vec <path> <values>                     in one piece, like the entries of Vecs
///     byte <place> <value>, cut <length>      applied to the finished file, which is then refused

#include <gearshift/petsc/handle.hpp>

#include "dynamics/checkpoint/file.hpp"
#include "dynamics/checkpoint/natural_order.hpp"
#include "dynamics/checkpoint/parts.hpp"
#include "fuzz/target.hpp"
#include "petsc/files/checksum.hpp"
#include "petsc/files/hdf5_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

using namespace gearshift;
using gearshift::test::require;
using petsc::check;

namespace {

constexpr PetscInt unknowns = 5;

struct State {
  double dt = 0;
  int order = 0;
  std::vector<double> steps;
  std::array<double, 4> points{};
  petsc::Handle<Vec> x;

  void archive(Archive& state) {
    state("dt", dt);
    const Archive::Group group(state, "bdf");
    state("order", order);
    state("steps", steps);
    state.vec("x", x.get());
    state.local("points", points);
  }
};

/// A file that exists during the lifetime of the object.
class File {
 public:
  explicit File(const std::string& bytes) : path_("fuzz_checkpoint." + std::to_string(::getpid()) + ".h5") {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~File() { ::unlink(path_.c_str()); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

template <class T>
std::vector<T> numbers_in(std::istringstream& line) {
  std::vector<T> numbers;
  for (T number{}; line >> number;) numbers.push_back(number);
  return numbers;
}

void append(std::string& bytes, const void* data, std::size_t count) {
  bytes.append(static_cast<const char*>(data), count);
}

/// Returns the HDF5 file described by the lines. Throws IoError if they describe none.
std::string described(const std::string& description) {
  auto file = petsc::Hdf5File::create("the description");
  std::vector<std::pair<std::int64_t, std::vector<double>>> pieces;
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind, path;
    words >> kind >> path;
    if (kind == "integers") {
      file.write(path, numbers_in<std::int64_t>(words));
    } else if (kind == "reals") {
      file.write(path, numbers_in<double>(words));
    } else if (kind == "text") {
      std::string text;
      std::getline(words >> std::ws, text);
      std::replace(text.begin(), text.end(), '|', '\n');
      file.write(path, text);
    } else if (kind == "vec") {
      auto values = numbers_in<double>(words);
      const auto offset = file.reserve(path, std::ssize(values));
      pieces.emplace_back(offset, std::move(values));
    }
  }
  std::string bytes;
  const auto length = file.complete([&](std::int64_t offset, std::span<const char> part) {
    bytes.resize(static_cast<std::size_t>(offset));
    append(bytes, part.data(), part.size());
  });
  bytes.resize(static_cast<std::size_t>(length));
  for (const auto& [offset, values] : pieces)
    if (!values.empty()) std::memcpy(bytes.data() + offset, values.data(), values.size() * sizeof(double));
  return bytes;
}

std::string sealed(std::string bytes) {
  const std::array<std::uint64_t, 2> facts{bytes.size(), petsc::checksum(bytes.data(), bytes.size())};
  std::string seal = "gearseal";
  append(seal, facts.data(), sizeof facts);
  const std::uint64_t own = petsc::checksum(seal.data(), seal.size());
  append(seal, &own, sizeof own);
  return bytes + seal;
}

std::string damaged(std::string bytes, const std::string& description) {
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    std::size_t place = 0;
    int value = 0;
    words >> kind >> place >> value;
    if (kind == "cut") bytes.resize(std::min(place, bytes.size()));
    if (kind == "byte" && place < bytes.size()) bytes[place] = static_cast<char>(value);
  }
  return bytes;
}

State& state() {
  static State* const one = new State;  // lives as long as PETSc
  return *one;
}

/// Returns the reason why the file is refused, or an empty text.
std::string refusal(const std::string& bytes) {
  const File file(bytes);
  try {
    (void)read_checkpoint({state().x.get()}, file.path(), [](Archive& archive) { state().archive(archive); });
    return {};
  } catch (const IoError& error) {
    return error.what();
  }
}

const char* const sound =
    "text /header/words/format gearshift checkpoint\n"
    "integers /header/integers/version #version\n"
    "integers /header/integers/ranks 1\n"
    "integers /header/integers/unknowns 5\n"
    "integers /header/integers/natural 0\n"
    "integers /header/integers/numbering #numbering\n"
    "integers /partition 0 5\n"
    "text /parts reals 1 dt|integers 1 bdf/order|integers 1 bdf/steps_size|reals 2 bdf/steps|vec 5 bdf/x|local 4 "
    "bdf/points|\n"
    "reals /state/dt 0.1\n"
    "integers /state/bdf/order 3\n"
    "integers /state/bdf/steps_size 2\n"
    "reals /state/bdf/steps 0.1 0.2\n"
    "vec /state/bdf/x 1 2 3 4 5\n"
    "vec /state/bdf/points 6 7 8 9\n"
    "integers /local/bdf/points 4\n";

std::string numbered(std::string description) {
  static const std::string number = std::to_string(NaturalOrder(state().x.get(), nullptr).fingerprint());
  for (const auto& [mark, meaning] : {std::pair{std::string_view("#numbering"), number},
                                      {std::string_view("#version"), std::to_string(checkpoint::version)}})
    for (auto at = description.find(mark); at != std::string::npos; at = description.find(mark, at))
      description.replace(at, mark.size(), meaning);
  return description;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char*** argv) {
  int one = 1;  // PETSc must not parse the flags
  check(PetscInitialize(&one, argv, nullptr, nullptr));
  check(VecCreateSeq(PETSC_COMM_SELF, unknowns, state().x.out()));
  const std::string text = refusal(sealed(described(numbered(sound))));
  require(text.empty() && state().order == 3 && state().points[3] == 9, "the sound one is read: " + text);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  require(refusal(input).find("' is damaged: ") != std::string::npos, "a file without a seal is refused as damaged");
  const std::string description = numbered(input);
  std::string bytes;
  try {
    bytes = sealed(described(description));
  } catch (const IoError&) {
    return 0;
  }
  const std::string found = damaged(bytes, description), text = refusal(found);
  if (found != bytes) require(text.find("' is damaged: ") != std::string::npos, "damage is refused: " + text);
  return 0;
}
