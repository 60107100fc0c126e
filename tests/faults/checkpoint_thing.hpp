#pragma once

/// @file
/// Checkpoint files of a state with data of every kind.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/views.hpp>

#include "dynamics/checkpoint/file.hpp"
#include "dynamics/checkpoint/parts.hpp"
#include "petsc/ranks/agree.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace checkpoint_test {

namespace fs = std::filesystem;
using namespace gearshift;
using petsc::check;
using petsc::Handle;

inline MPI_Comm world() { return MPI_COMM_WORLD; }

inline int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

inline int ranks() {
  int size = 1;
  MPI_Comm_size(world(), &size);
  return size;
}

inline std::string file_of(const std::string& name) {
  const std::string folder = "faults_checkpoint." + std::to_string(ranks());
  if (rank_of(world()) == 0) {
    fs::create_directories(folder);
    for (const char* end : {"", ".previous", ".part"}) fs::remove(folder + "/" + name + end);
  }
  MPI_Barrier(world());
  return folder + "/" + name;
}

inline std::string read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

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

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace checkpoint_test
