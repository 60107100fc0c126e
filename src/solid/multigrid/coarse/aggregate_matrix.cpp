#include "solid/multigrid/coarse/aggregate_matrix.hpp"

#include "solid/multigrid/coarse/sets.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace gearshift::solid {

using petsc::check;

namespace {

AggregateMatrix::Block transposed(const AggregateMatrix::Block& block) {
  AggregateMatrix::Block result{};
  for (std::size_t l = 0; l < rigid_motions; ++l)
    for (std::size_t m = 0; m < rigid_motions; ++m) result[rigid_motions * m + l] = block[rigid_motions * l + m];
  return result;
}

void sort_out(std::vector<AggregateMatrix::Pair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

}  // namespace

AggregateMatrix::AggregateMatrix(MPI_Comm comm, PetscInt aggregates, std::span<const Pair> pairs,
                                 const Kernels& kernels)
    : kernels_(kernels), count_(aggregates) {
  first_ = petsc::sum_before(comm, count_);
  std::vector<Pair> places;
  for (PetscInt a = first_; a < first_ + count_; ++a) places.push_back({a, a});
  for (const auto& [a, b] : pairs)
    for (const auto& [row, column] : {Pair{a, b}, Pair{b, a}}) (own(row) ? places : foreign_).push_back({row, column});
  sort_out(foreign_);
  foreign_values_.resize(entries * foreign_.size());
  to_owners_ = ForeignBlocks(comm, count_, six, foreign_);
  places.insert(places.end(), to_owners_.incoming().begin(), to_owners_.incoming().end());
  keep_pattern(comm, std::move(places));
  const ShellMatrix::Products products{.multiply = [this](Vec in, Vec out) { multiply(in, out); },
                                       .diagonal = [this](Vec out) { diagonal(out); },
                                       .inverse_blocks = [this] { return inverse_blocks(); }};
  shell_ = std::make_unique<ShellMatrix>(comm, six * count_, six * count_, products);
  check(MatSetBlockSize(get(), six));
}

void AggregateMatrix::keep_pattern(MPI_Comm comm, std::vector<Pair> places) {
  std::erase_if(places, [this](const Pair& pair) { return own(pair[1]) && pair[1] < pair[0]; });
  sort_out(places);
  begins_.assign(index(count_) + 1, 0);
  for (const auto& [row, column] : places) {
    ++begins_[index(row - first_) + 1];
    columns_.push_back(column);
    if (!own(column)) ghosts_.push_back(column);
  }
  for (std::size_t a = 0; a < index(count_); ++a) begins_[a + 1] += begins_[a];
  std::sort(ghosts_.begin(), ghosts_.end());
  ghosts_.erase(std::unique(ghosts_.begin(), ghosts_.end()), ghosts_.end());
  for (const PetscInt column : columns_)
    local_.push_back(static_cast<int>(own(column) ? index(column - first_) : index(count_) + ghost(column)));
  PetscLayout layout = nullptr;
  check(PetscLayoutCreate(comm, &layout));
  check(PetscLayoutSetLocalSize(layout, count_));
  check(PetscLayoutSetUp(layout));
  check(PetscSFCreate(comm, exchange_.out()));
  check(PetscSFSetGraphLayout(exchange_.get(), layout, static_cast<PetscInt>(ghosts_.size()), nullptr,
                              PETSC_COPY_VALUES, ghosts_.data()));
  check(PetscLayoutDestroy(&layout));
}

std::size_t AggregateMatrix::ghost(PetscInt aggregate) const {
  return static_cast<std::size_t>(std::lower_bound(ghosts_.begin(), ghosts_.end(), aggregate) - ghosts_.begin());
}

std::size_t AggregateMatrix::find(PetscInt row, PetscInt column) const {
  if (own(column) && column < row) return nowhere;
  const auto begin = columns_.begin() + static_cast<std::ptrdiff_t>(begins_[index(row - first_)]),
             end = columns_.begin() + static_cast<std::ptrdiff_t>(begins_[index(row - first_) + 1]);
  return static_cast<std::size_t>(std::lower_bound(begin, end, column) - columns_.begin());
}

AggregateMatrix::Block AggregateMatrix::block(std::size_t position) const {
  Block result{};
  std::visit(
      [&](const auto& numbers) {
        for (std::size_t e = 0; e < entries; ++e)
          result[e] = static_cast<double>(numbers.blocks[entries * position + e]);
      },
      numbers_);
  return result;
}

void AggregateMatrix::clear() {
  if (auto* numbers = std::get_if<Numbers<double>>(&numbers_); numbers && !numbers->blocks.empty())
    std::fill(numbers->blocks.begin(), numbers->blocks.end(), 0.0);
  else
    numbers_ = make_numbers<double>();
  std::fill(foreign_values_.begin(), foreign_values_.end(), 0.0);
}

void AggregateMatrix::add_at(std::size_t position, const double* block) {
  if (position == nowhere) return;
  std::visit(
      [&]<class T>(Numbers<T>& numbers) {
        T* to = numbers.blocks.data() + entries * position;
        for (std::size_t e = 0; e < entries; ++e) to[e] += static_cast<T>(block[e]);
      },
      numbers_);
}

void AggregateMatrix::scale(double factor) {
  for (double& value : std::get<Numbers<double>>(numbers_).blocks) value *= factor;
}

void AggregateMatrix::round() {
  const auto* precise = std::get_if<Numbers<double>>(&numbers_);
  if (!precise) return;
  auto numbers = make_numbers<float>();
  std::transform(precise->blocks.begin(), precise->blocks.end(), numbers.blocks.begin(),
                 [](double value) { return static_cast<float>(value); });
  numbers_ = std::move(numbers);
}

void AggregateMatrix::add(PetscInt row, PetscInt column, const Block& block) {
  const auto add_one = [this](PetscInt a, PetscInt b, const Block& values) {
    if (own(a)) return add_at(find(a, b), values.data());
    const auto at = std::lower_bound(foreign_.begin(), foreign_.end(), Pair{a, b}) - foreign_.begin();
    for (std::size_t e = 0; e < entries; ++e) foreign_values_[entries * static_cast<std::size_t>(at) + e] += values[e];
  };
  add_one(row, column, block);
  if (row != column) add_one(column, row, transposed(block));
}

void AggregateMatrix::assemble() {
  const double* values = to_owners_.exchange(foreign_values_).data();
  for (const auto& [row, column] : to_owners_.incoming()) {
    add_at(find(row, column), values);
    values += entries;
  }
  // Informs PETSc that the entries have changed.
  check(MatAssemblyBegin(get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(get(), MAT_FINAL_ASSEMBLY));
}

void AggregateMatrix::spread(std::span<const double> own, int size, std::vector<double>& at_ghosts) const {
  at_ghosts.resize(ghosts_.size() * static_cast<std::size_t>(size));
  MPI_Datatype unit = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(size, MPI_DOUBLE, &unit));
  check(MPI_Type_commit(&unit));
  check(PetscSFBcastBegin(exchange_.get(), unit, own.data(), at_ghosts.data(), MPI_REPLACE));
  check(PetscSFBcastEnd(exchange_.get(), unit, own.data(), at_ghosts.data(), MPI_REPLACE));
  check(MPI_Type_free(&unit));
}

void AggregateMatrix::multiply(Vec in, Vec out) {
  const petsc::ReadView from(in);
  petsc::WriteView to(out);
  spread(from.span(), static_cast<int>(six), from_others_);
  std::visit(
      [&]<class T>(Numbers<T>& numbers) {
        pad(from.span(), numbers.x.data());
        pad(from_others_, numbers.x.data() + stride * index(count_));
        block_kernels(kernels_).multiply<T>()(static_cast<int>(count_), begins_.data(), local_.data(),
                                              numbers.blocks.data(), numbers.x.data(), numbers.y.data());
        unpad(numbers.y, to);
      },
      numbers_);
}

void AggregateMatrix::sweep(const std::vector<double>& inverses, std::vector<double>& x) const {
  const auto& numbers = std::get<Numbers<double>>(numbers_);
  block_kernels(kernels_).solve(static_cast<int>(count_), begins_.data(), local_.data(), numbers.blocks.data(),
                                inverses.data(), x.data());
}

void AggregateMatrix::diagonal(Vec out) const {
  petsc::WriteView to(out);
  for (std::size_t a = 0; a < index(count_); ++a) {
    const Block own = diagonal_block(first_ + static_cast<PetscInt>(a));
    for (std::size_t m = 0; m < rigid_motions; ++m) to[rigid_motions * a + m] = own[(rigid_motions + 1) * m];
  }
}

const PetscScalar* AggregateMatrix::inverse_blocks() {
  inverses_.resize(entries * index(count_));
  for (std::size_t a = 0; a < index(count_); ++a) {
    using Square = Eigen::Matrix<double, six, six>;
    const Block own = diagonal_block(first_ + static_cast<PetscInt>(a));
    Eigen::Map<Square>(inverses_.data() + entries * a) = Eigen::Map<const Square>(own.data()).inverse();
  }
  return inverses_.data();
}

petsc::Handle<Mat> AggregateMatrix::assembled() const {
  petsc::Handle<Mat> result;
  std::vector<PetscInt> diagonal(index(count_)), other(index(count_));
  visit_places([&](PetscInt row, PetscInt column) {
    if (!own(column)) {
      ++other[index(row - first_)];
      return;
    }
    ++diagonal[index(row - first_)];
    if (row != column) ++diagonal[index(column - first_)];
  });
  check(MatCreate(comm(), result.out()));
  check(MatSetSizes(result.get(), six * count_, six * count_, PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(result.get(), MATAIJ));
  check(MatSetBlockSize(result.get(), six));
  check(MatXAIJSetPreallocation(result.get(), six, diagonal.data(), other.data(), nullptr, nullptr));
  check(MatSetOption(result.get(), MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  const auto insert = [&](PetscInt row, PetscInt column, const Block& block) {
    check(MatSetValuesBlocked(result.get(), 1, &row, 1, &column, block.data(), INSERT_VALUES));
  };
  visit([&](PetscInt row, PetscInt column, const Block& block) {
    insert(row, column, block);
    if (row != column && own(column)) insert(column, row, transposed(block));
  });
  check(MatAssemblyBegin(result.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(result.get(), MAT_FINAL_ASSEMBLY));
  return result;
}

}  // namespace gearshift::solid
