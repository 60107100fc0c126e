// The checkpoint file: every bit is restored, damage is detected, mismatches are named.
#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>

#include "dynamics/checkpoint/file.hpp"
#include "dynamics/checkpoint/parts.hpp"
#include "petsc/files/checksum.hpp"
#include "petsc/ranks/agree.hpp"

#include <gtest/gtest.h>
#include <petscdmda.h>
#include <sys/resource.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace fs = std::filesystem;
using namespace gearshift;
using petsc::check;
using petsc::Handle;

namespace {

inline MPI_Comm world() { return MPI_COMM_WORLD; }

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int ranks() {
  int size = 1;
  MPI_Comm_size(world(), &size);
  return size;
}

std::string file_of(const std::string& name) {
  const std::string folder = "faults_checkpoint." + std::to_string(ranks());
  if (rank_of(world()) == 0) {
    fs::create_directories(folder);
    for (const char* end : {"", ".previous", ".part"}) fs::remove(folder + "/" + name + end);
  }
  MPI_Barrier(world());
  return folder + "/" + name;
}

std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// A state with data of every kind; rank r owns 3 + 2 r entries, the last rank none.
struct Thing {
  explicit Thing(MPI_Comm on = MPI_COMM_WORLD) : comm(on) {
    int size = 1;
    MPI_Comm_size(comm, &size);
    const int rank = rank_of(comm);
    const PetscInt mine = size > 1 && rank == size - 1 ? 0 : 3 + 2 * rank;
    check(VecCreateMPI(comm, mine, PETSC_DETERMINE, x.out()));
    quadrature.resize(static_cast<std::size_t>(2 * mine));
  }

  void fill() {
    PetscInt first = 0;
    check(VecGetOwnershipRange(x.get(), &first, nullptr));
    const petsc::WriteView view(x.get());
    for (std::size_t i = 0; i < view.size(); ++i)
      view[i] = std::sin(static_cast<double>(first) + 1.0 / (1.0 + static_cast<double>(i)));
    for (std::size_t i = 0; i < quadrature.size(); ++i)
      quadrature[i] = 1.0 / (7.0 + static_cast<double>(i) + rank_of(comm));
    dt = std::nextafter(0.1, 1.0);
    order = 5;
    bits = {std::numeric_limits<double>::denorm_min(), -0.0, std::numeric_limits<double>::infinity(),
            std::bit_cast<double>(0x7ff8dead0000beefULL)};
    steps = {0.1, 1.0 / 3, 1e300};
    flag = true;
  }

  void archive(Archive& state) {
    state("dt", dt);
    const Archive::Group group(state, "bdf");
    state("order", order);
    state("bits", bits);
    state("steps", steps);
    state("flag", flag);
    state.vec("x", x.get());
    if (with_local) state.local("quadrature", quadrature);
    state("empty", empty);
  }

  void save(const std::string& file, const CheckpointHeader& header = {}) {
    write_checkpoint(
        {x.get()}, file, [this](Archive& state) { archive(state); }, header);
  }
  CheckpointHeader load(const std::string& file) {
    return read_checkpoint({x.get()}, file, [this](Archive& state) { archive(state); });
  }

  std::string all_bits() const {
    std::string text;
    const auto add = [&](const void* data, std::size_t count) { text.append(static_cast<const char*>(data), count); };
    add(&dt, sizeof dt);
    add(&order, sizeof order);
    add(bits.data(), sizeof bits);
    add(steps.data(), steps.size() * sizeof(double));
    add(&flag, sizeof flag);
    const petsc::ReadView view(x.get());
    add(view.span().data(), view.span().size_bytes());
    if (with_local) add(quadrature.data(), quadrature.size() * sizeof(double));
    return text;
  }

  MPI_Comm comm;
  Handle<Vec> x;
  PetscReal dt = 0;
  int order = 0;
  bool flag = false, with_local = true;
  std::array<PetscReal, 4> bits{};
  std::vector<PetscReal> steps, quadrature, empty;
};

/// Returns the text of the IoError that body() throws on every rank; it is the same on all.
template <class Body>
std::string io_error(Body&& body) {
  std::string text = "nothing was thrown";
  try {
    body();
  } catch (const IoError& error) {
    text = error.what();
  }
  std::string first = text;
  petsc::broadcast(world(), first);
  EXPECT_EQ(text, first);
  return text;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST(Checksum, IsLinear) {
  std::mt19937_64 random(1);
  std::string bytes(1003, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  const auto whole = petsc::checksum(bytes.data(), bytes.size());
  for (const std::size_t cut : {0u, 1u, 7u, 8u, 500u, 1003u}) {
    const auto head = petsc::checksum(bytes.data(), cut),
               tail = petsc::checksum(bytes.data() + cut, bytes.size() - cut);
    EXPECT_EQ(petsc::shifted(head, bytes.size() - cut) ^ tail, whole);
    EXPECT_EQ(petsc::checksum(bytes.data() + cut, bytes.size() - cut, head), whole);
  }
  // CRC-64/XZ of "123456789" is 995DC9BBDF1939FA: the same polynomial with an initial value and a final inversion.
  EXPECT_EQ(~petsc::checksum("123456789", 9, ~0ULL), 0x995DC9BBDF1939FAULL);
}

TEST(Checkpoint, GivesBackEveryBit) {
  const std::string file = file_of("bits.h5");
  Thing written;
  written.fill();
  CheckpointHeader header;
  header.words["note"] = "two\nlines";
  header.words["nothing"] = "";
  header.integers["offset"] = std::int64_t{1} << 40;
  header.reals["t"] = 1.0 / 3;
  written.save(file, header);
  EXPECT_FALSE(fs::exists(file + ".part"));
  Thing loaded;
  const CheckpointHeader found = loaded.load(file);
  EXPECT_EQ(loaded.all_bits(), written.all_bits());
  EXPECT_EQ(found.words.at("note"), "two\nlines");
  EXPECT_EQ(found.words.at("nothing"), "");
  EXPECT_EQ(found.integers.at("offset"), std::int64_t{1} << 40);
  EXPECT_EQ(found.reals.at("t"), 1.0 / 3);
  EXPECT_EQ(found.integers.at("ranks"), ranks());
  const CheckpointHeader alone = read_checkpoint_header(world(), file);
  EXPECT_EQ(alone.words, found.words);
  EXPECT_EQ(alone.integers, found.integers);
  EXPECT_EQ(alone.reals, found.reals);
}

TEST(Checkpoint, SameStateGivesTheSameFile) {
  const std::string file = file_of("same.h5");
  Thing thing;
  thing.fill();
  thing.save(file);
  thing.save(file);
  EXPECT_EQ(read(file), read(file + ".previous"));
  MPI_Barrier(world());
}

TEST(Checkpoint, KeepsTheOneBefore) {
  const std::string file = file_of("before.h5");
  EXPECT_EQ(find_checkpoint(world(), file), "");
  Thing thing;
  EXPECT_TRUE(has(io_error([&] { thing.load(file); }), "there is no checkpoint"));
  thing.fill();
  thing.save(file);
  thing.dt = 7;
  thing.save(file);
  EXPECT_EQ(find_checkpoint(world(), file), file);
  Thing loaded;
  loaded.load(file);
  EXPECT_EQ(loaded.dt, 7);
  MPI_Barrier(world());
  if (rank_of(world()) == 0) fs::remove(file);
  MPI_Barrier(world());
  EXPECT_EQ(find_checkpoint(world(), file), file + ".previous");
  loaded.load(file);
  EXPECT_EQ(loaded.dt, std::nextafter(0.1, 1.0));
}

TEST(Checkpoint, NamesTheWholeOneWhenTheNewestIsDamaged) {
  const std::string file = file_of("damaged.h5");
  Thing thing;
  thing.fill();
  thing.save(file);
  thing.save(file);
  const auto flip = [&](const std::string& name) {
    MPI_Barrier(world());
    if (rank_of(world()) == 0) {
      std::string bytes = read(name);
      bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
      fs::remove(name);
      write(name, bytes);
    }
    MPI_Barrier(world());
  };
  flip(file);
  std::string text = io_error([&] { thing.load(file); });
  EXPECT_TRUE(has(text, "'" + file + "' is damaged") && has(text, file + ".previous', is intact")) << text;
  flip(file + ".previous");
  text = io_error([&] { thing.load(file); });
  EXPECT_TRUE(has(text, "'" + file + ".previous' is damaged, too")) << text;
  MPI_Barrier(world());
  if (rank_of(world()) == 0) fs::remove(file + ".previous");
  MPI_Barrier(world());
  text = io_error([&] { thing.load(file); });
  EXPECT_TRUE(has(text, "'" + file + ".previous' does not exist")) << text;
}

TEST(Checkpoint, NoticesEveryDamage) {
  const std::string file = file_of("random.h5");
  Thing thing;
  thing.fill();
  thing.save(file);
  const std::string whole = read(file);
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 1000; ++trial) {
    MPI_Barrier(world());
    const std::size_t place = random() % whole.size();
    const auto change = static_cast<char>(1 + random() % 255);
    if (rank_of(world()) == 0) {
      std::string bytes = whole;
      if (trial % 3 == 0)
        bytes.resize(place);
      else
        bytes[place] = static_cast<char>(bytes[place] ^ change);
      if (trial % 3 == 2) bytes.insert(random() % place + 1, 1, 'x');
      write(file, bytes);
    }
    MPI_Barrier(world());
    const std::string text = io_error([&] { thing.load(file); });
    ASSERT_TRUE(has(text, "is damaged")) << "trial " << trial << ": " << text;
  }
}

TEST(Checkpoint, NamesThePartThatDoesNotFit) {
  const std::string file = file_of("fit.h5");
  Thing thing;
  thing.fill();
  thing.save(file);
  const auto loading = [&](auto&& visit) { return io_error([&] { read_checkpoint({thing.x.get()}, file, visit); }); };
  std::string text = loading([&](Archive& state) {
    state("dt", thing.dt);
    state("flag", thing.flag);
  });
  EXPECT_TRUE(has(text, "'bdf/order' (integers) where 'flag' (integers)")) << text;
  text = loading([&](Archive& state) { state("dt", thing.order); });
  EXPECT_TRUE(has(text, "'dt' (reals) where 'dt' (integers)")) << text;
  text = loading([&](Archive& state) {
    std::array<PetscReal, 2> two{};
    state("dt", two);
  });
  EXPECT_TRUE(has(text, "'dt' has 1 numbers, but this run has 2")) << text;
  text = loading([&](Archive& state) { state("dt", thing.dt); });
  EXPECT_TRUE(has(text, "its part 'bdf/order' is not used here")) << text;
  text = loading([&](Archive& state) {
    thing.archive(state);
    state("more", thing.dt);
  });
  EXPECT_TRUE(has(text, "it ends before the part 'more'")) << text;
  // A different distribution over the ranks with the same total.
  if (ranks() > 1) {
    const int rank = rank_of(world());
    auto moved = thing.quadrature;
    if (rank == 0) moved.pop_back();
    if (rank == ranks() - 1) moved.push_back(0);
    std::swap(moved, thing.quadrature);
    text = io_error([&] { thing.load(file); });
    EXPECT_TRUE(has(text, "'bdf/quadrature' has 6 numbers for rank 0, but this run has 5")) << text;
    std::swap(moved, thing.quadrature);
  }
  Handle<Vec> larger;
  check(VecCreateMPI(world(), 100, PETSC_DETERMINE, larger.out()));
  text = io_error([&] { read_checkpoint({larger.get()}, file, [](Archive&) {}); });
  EXPECT_TRUE(has(text, "unknowns, but this model has " + std::to_string(100 * ranks()))) << text;
  thing.load(file);
}

/// The format number is found between two marks written before and after it; the checksum is updated.
TEST(Checkpoint, OtherVersionsAreRefusedByTheirNumber) {
  const std::string file = file_of("version.h5");
  const std::int64_t before = 0x1122334455667788, after = 0x0877665544332211;
  Thing thing;
  thing.fill();
  CheckpointHeader header;
  header.integers["versio"] = before;
  header.integers["version1"] = after;
  thing.save(file, header);
  const std::array<std::int64_t, 3> marked{before, checkpoint::version, after};
  const std::string whole = read(file);
  const std::size_t place = whole.find(std::string(reinterpret_cast<const char*>(marked.data()), sizeof marked));
  ASSERT_NE(place, std::string::npos);
  for (const std::int64_t other : {checkpoint::version - 1, checkpoint::version + 1}) {
    MPI_Barrier(world());
    if (rank_of(world()) == 0) {
      std::string bytes = whole;
      std::memcpy(&bytes[place + 8], &other, 8);
      const std::size_t length = bytes.size() - 32;
      const std::uint64_t sum = petsc::checksum(bytes.data(), length);
      std::memcpy(&bytes[length + 16], &sum, 8);
      const std::uint64_t own = petsc::checksum(&bytes[length], 24);
      std::memcpy(&bytes[length + 24], &own, 8);
      write(file, bytes);
    }
    MPI_Barrier(world());
    const std::string text = io_error([&] { thing.load(file); });
    EXPECT_TRUE(has(text, "has version " + std::to_string(other) + " of the format")) << text;
    EXPECT_TRUE(has(text, "reads version " + std::to_string(checkpoint::version))) << text;
  }
}

TEST(Checkpoint, PartsMayShareNames) {
  const std::string file = file_of("names.h5");
  Thing thing;
  std::array<int, 5> numbers{1, 2, 3, 4, 5};
  const auto visit = [&](Archive& state) {
    state("event", numbers[0]);
    state("event", numbers[1]);
    {
      const Archive::Group group(state, "event");
      state("value", numbers[2]);
      state("value", numbers[3]);
    }
    const Archive::Group group(state, "event");
    state("value", numbers[4]);
  };
  write_checkpoint({thing.x.get()}, file, visit);
  numbers = {};
  read_checkpoint({thing.x.get()}, file, visit);
  EXPECT_EQ(numbers, (std::array{1, 2, 3, 4, 5}));
}

TEST(Checkpoint, IsReadOnOtherRanks) {
  if (ranks() == 1) return;
  const std::string file = file_of("ranks.h5");
  // The unknowns are owned by all ranks, or by the first two; the numbering is user-defined.
  const PetscInt total = 37;
  const int rank = rank_of(world());
  const auto numbered = [&](MPI_Comm comm, PetscInt mine) {
    Handle<Vec> x;
    check(VecCreateMPI(comm, mine, total, x.out()));
    PetscInt first = 0;
    check(VecGetOwnershipRange(x.get(), &first, nullptr));
    int size = 1;
    MPI_Comm_size(comm, &size);
    std::vector<PetscInt> numbers(static_cast<std::size_t>(mine));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = ((first + static_cast<PetscInt>(i)) * (size == ranks() ? 5 : 8) + 3) % total;
    Handle<IS> natural;
    check(ISCreateGeneral(comm, mine, numbers.data(), PETSC_COPY_VALUES, natural.out()));
    return std::pair(std::move(x), std::pair(std::move(natural), numbers));
  };
  const auto given = numbered(world(), rank == 0 ? total - 2 * (ranks() - 1) : 2);
  const auto& x = given.first;
  const auto& order = given.second.first;
  const auto& numbers = given.second.second;
  {
    const petsc::WriteView view(x.get());
    for (std::size_t i = 0; i < view.size(); ++i) view[i] = 1 / static_cast<double>(1 + numbers[i]);
  }
  std::vector<PetscReal> points(1, rank);
  write_checkpoint({x.get(), order.get()}, file, [&](Archive& state) { state.vec("x", x.get()); });
  check(VecSet(x.get(), 0));
  read_checkpoint({x.get(), order.get()}, file, [&](Archive& state) { state.vec("x", x.get()); });
  {
    const petsc::ReadView view(x.get());
    for (std::size_t i = 0; i < view.size(); ++i) EXPECT_EQ(view[i], 1 / static_cast<double>(1 + numbers[i]));
  }
  MPI_Comm first_ones = MPI_COMM_NULL;
  MPI_Comm_split(world(), rank < 1 ? 0 : 1, rank, &first_ones);
  if (rank < 1) {
    const auto read = numbered(first_ones, total);
    const auto& y = read.first;
    read_checkpoint({y.get(), read.second.first.get()}, file, [&](Archive& state) { state.vec("x", y.get()); });
    const petsc::ReadView view(y.get());
    for (std::size_t i = 0; i < view.size(); ++i)
      EXPECT_EQ(view[i], 1 / static_cast<double>(1 + read.second.second[i]));
  }
  MPI_Barrier(world());
  // Data stored per rank stay on their rank.
  const std::string kept = file_of("kept.h5");
  Thing thing;
  thing.fill();
  thing.save(kept);
  if (rank < 1) {
    PetscInt size = 0;
    check(VecGetSize(thing.x.get(), &size));
    Thing alone(first_ones);
    check(VecCreateMPI(first_ones, size, PETSC_DETERMINE, alone.x.out()));
    try {
      alone.load(kept);
      ADD_FAILURE() << "no error";
    } catch (const IoError& error) {
      EXPECT_TRUE(has(error.what(), "'bdf/quadrature' is kept per rank and was written on " + std::to_string(ranks())))
          << error.what();
    }
  }
  MPI_Comm_free(&first_ones);
  MPI_Barrier(world());
}

TEST(Checkpoint, TakesAGridsNaturalOrder) {
  const std::string file = file_of("grid.h5");
  const auto made = [](MPI_Comm comm) {
    Handle<DM> grid;
    check(DMDACreate2d(comm, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_BOX, 6, 5, PETSC_DECIDE, PETSC_DECIDE, 2,
                       1, nullptr, nullptr, grid.out()));
    check(DMSetUp(grid.get()));
    return grid;
  };
  const auto values = [](DM grid, Vec x, bool fill) {
    DMDALocalInfo box;
    check(DMDAGetLocalInfo(grid, &box));
    PetscReal*** at = nullptr;
    check(DMDAVecGetArrayDOF(grid, x, &at));
    for (PetscInt j = box.ys; j < box.ys + box.ym; ++j)
      for (PetscInt i = box.xs; i < box.xs + box.xm; ++i)
        for (PetscInt c = 0; c < 2; ++c) {
          const PetscReal value =
              100.0 * static_cast<double>(j) + 10.0 * static_cast<double>(i) + static_cast<double>(c);
          if (fill)
            at[j][i][c] = value;
          else
            EXPECT_EQ(at[j][i][c], value);
        }
    check(DMDAVecRestoreArrayDOF(grid, x, &at));
  };
  {
    const auto grid = made(world());
    Handle<Vec> x;
    check(DMCreateGlobalVector(grid.get(), x.out()));
    values(grid.get(), x.get(), true);
    write_checkpoint({x.get()}, file, [&](Archive& state) { state.vec("x", x.get()); });
    check(VecSet(x.get(), 0));
    read_checkpoint({x.get()}, file, [&](Archive& state) { state.vec("x", x.get()); });
    values(grid.get(), x.get(), false);
  }
  if (rank_of(world()) == 0) {
    const auto grid = made(PETSC_COMM_SELF);
    Handle<Vec> x;
    check(DMCreateGlobalVector(grid.get(), x.out()));
    read_checkpoint({x.get()}, file, [&](Archive& state) { state.vec("x", x.get()); });
    values(grid.get(), x.get(), false);
  }
  MPI_Barrier(world());
}

TEST(Checkpoint, AFullDiskLeavesTheOneBefore) {
  const std::string file = file_of("full.h5");
  Handle<Vec> x;
  check(VecCreateMPI(world(), 20000, PETSC_DETERMINE, x.out()));
  check(VecSet(x.get(), 3));
  const auto visit = [&](Archive& state) {
    for (const char* name : {"a", "b"}) state.vec(name, x.get());
    PetscReal one = 1;
    for (int i = 0; i < 100; ++i) state("number_" + std::to_string(i), one);
  };
  write_checkpoint({x.get()}, file, visit);
  const std::string before = read(file);
  rlimit free_limit{};
  getrlimit(RLIMIT_FSIZE, &free_limit);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  // Only one rank reaches the limit, in its own share or, for the first one, in the HDF5 part.
  for (const int victim : {0, ranks() - 1})
    for (const rlim_t limit :
         {std::size_t{100}, std::size_t{3000}, before.size() / 2, before.size() - 20000, before.size() - 10}) {
      rlimit small = free_limit;
      small.rlim_cur = limit;
      if (rank_of(world()) == victim) setrlimit(RLIMIT_FSIZE, &small);
      std::string text;
      try {
        write_checkpoint({x.get()}, file, visit);
      } catch (const IoError& error) {
        text = error.what();
      }
      setrlimit(RLIMIT_FSIZE, &free_limit);
      if (victim == 0 || limit < before.size() / 2) {
        EXPECT_TRUE(has(text, "cannot be written"))
            << limit << " of " << before.size() << " on " << victim << ": " << text;
      }
      MPI_Barrier(world());
      EXPECT_FALSE(fs::exists(file + ".part"));
      EXPECT_EQ(checkpoint_damage(world(), file), "");
    }
  std::signal(SIGXFSZ, handler);
  write_checkpoint({x.get()}, file, visit);
  EXPECT_EQ(read(file), before);
}

TEST(Checkpoint, ASmallDiskLeavesTheOneBefore) {
  const char* disk = std::getenv("GEARSHIFT_SMALL_DISK");
  if (!disk) GTEST_SKIP() << "GEARSHIFT_SMALL_DISK names no disk of 1 MiB";
  const std::string file = std::string(disk) + "/full.h5";
  MPI_Barrier(world());
  Thing small;
  small.fill();
  small.save(file);
  int failed = 0, made = 0;
  for (PetscInt total = 100000; total < 150000; total += 1024) {
    Handle<Vec> x;
    check(VecCreateMPI(world(), PETSC_DECIDE, total, x.out()));
    try {
      write_checkpoint({x.get()}, file, [&](Archive& state) {
        state.vec("x", x.get());
        PetscReal one = 1;
        for (int i = 0; i < 300; ++i) state("number_" + std::to_string(i), one);
      });
      ++made;
      MPI_Barrier(world());
      if (rank_of(world()) == 0) fs::remove(file + ".previous"), fs::rename(file, file + ".previous");
      MPI_Barrier(world());
      small.save(file);
      MPI_Barrier(world());
      if (rank_of(world()) == 0) fs::remove(file + ".previous");
    } catch (const IoError& error) {
      ++failed;
      EXPECT_TRUE(has(error.what(), "No space") || has(error.what(), "disk is full")) << error.what();
    }
    MPI_Barrier(world());
    EXPECT_FALSE(fs::exists(file + ".part"));
    ASSERT_EQ(checkpoint_damage(world(), file), "");
  }
  EXPECT_GT(made, 3);
  EXPECT_GT(failed, 3);
}

TEST(Checkpoint, WhatTheVisitorThrowsLeavesNothingBehind) {
  const std::string file = file_of("thrown.h5");
  Thing thing;
  EXPECT_THROW(write_checkpoint({thing.x.get()}, file,
                                [&](Archive& state) {
                                  thing.archive(state);
                                  throw Error("on purpose");
                                }),
               Error);
  MPI_Barrier(world());
  EXPECT_FALSE(fs::exists(file));
  EXPECT_FALSE(fs::exists(file + ".part"));
  const std::string text = io_error([&] { thing.save("no/such/folder/file.h5"); });
  EXPECT_TRUE(has(text, "no/such/folder/file.h5")) << text;
}

TEST(Checkpoint, ListsOptionsThatDiffer) {
  const std::string file = file_of("options.h5");
  check(PetscOptionsSetValue(nullptr, "-test_gear_dt", "0.1"));
  check(PetscOptionsSetValue(nullptr, "-test_note", "a b"));
  check(PetscOptionsSetValue(nullptr, "-test_gear_restart", "x"));
  Thing thing;
  thing.save(file);
  check(PetscOptionsSetValue(nullptr, "-test_gear_dt", "0.2"));
  check(PetscOptionsSetValue(nullptr, "-test_flag", nullptr));
  check(PetscOptionsClearValue(nullptr, "-test_gear_restart"));
  const auto changes = changes_since(read_checkpoint_header(world(), file));
  EXPECT_EQ(changes, (std::vector<std::string>{"-test_flag: not given in the checkpoint, given now",
                                               "-test_gear_dt: 0.1 in the checkpoint, 0.2 now"}));
  for (const char* key : {"-test_gear_dt", "-test_note", "-test_flag"}) check(PetscOptionsClearValue(nullptr, key));
}
