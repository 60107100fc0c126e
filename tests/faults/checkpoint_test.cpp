// The checkpoint file: every bit is restored, damage is detected, mismatches are named.
#include "checkpoint_thing.hpp"
#include "petsc/files/checksum.hpp"

#include <cstdlib>
#include <cstring>
#include <random>

using namespace checkpoint_test;

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
