#include "solid/multigrid/coarse/aggregate_matrix.hpp"

#include "solid/numerics/sets.hpp"

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

}  // namespace

AggregateMatrix::AggregateMatrix(MPI_Comm comm, PetscInt aggregates, std::span<const BlockPlace> pairs,
                                 const Kernels& kernels)
    : kernels_(kernels) {
  const PetscInt first = petsc::sum_before(comm, aggregates);
  const auto own = [&](PetscInt row) { return row >= first && row < first + aggregates; };
  std::vector<BlockPlace> places;
  for (PetscInt a = first; a < first + aggregates; ++a) places.push_back({a, a});
  for (const auto& [a, b] : pairs)
    for (const auto& [row, column] : {BlockPlace{a, b}, BlockPlace{b, a}})
      (own(row) ? places : foreign_).push_back({row, column});
  sort_unique(foreign_);
  foreign_values_.resize(entries * foreign_.size());
  to_owners_ = ForeignBlocks(comm, aggregates, six, foreign_);
  places.insert(places.end(), to_owners_.incoming().begin(), to_owners_.incoming().end());
  pattern_ = std::make_unique<BlockPattern>(comm, aggregates, std::move(places));
  const ShellMatrix::Products products{.multiply = [this](Vec in, Vec out) { multiply(in, out); },
                                       .diagonal = [this](Vec out) { diagonal(out); },
                                       .inverse_blocks = [this] { return inverse_blocks(); }};
  shell_ = std::make_unique<ShellMatrix>(comm, six * aggregates, six * aggregates, products);
  check(MatSetBlockSize(get(), six));
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
  if (position == BlockPattern::nowhere) return;
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
    if (pattern_->own(a)) return add_at(pattern_->find(a, b), values.data());
    const auto at = std::lower_bound(foreign_.begin(), foreign_.end(), BlockPlace{a, b}) - foreign_.begin();
    for (std::size_t e = 0; e < entries; ++e) foreign_values_[entries * static_cast<std::size_t>(at) + e] += values[e];
  };
  add_one(row, column, block);
  if (row != column) add_one(column, row, transposed(block));
}

void AggregateMatrix::assemble() {
  const double* values = to_owners_.exchange(foreign_values_).data();
  for (const auto& [row, column] : to_owners_.incoming()) {
    add_at(pattern_->find(row, column), values);
    values += entries;
  }
  // Informs PETSc that the entries have changed.
  check(MatAssemblyBegin(get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(get(), MAT_FINAL_ASSEMBLY));
}

void AggregateMatrix::multiply(Vec in, Vec out) {
  const petsc::ReadView from(in);
  petsc::WriteView to(out);
  pattern_->spread(from.span(), static_cast<int>(six), from_others_);
  std::visit(
      [&]<class T>(Numbers<T>& numbers) {
        pad(from.span(), numbers.x.data());
        pad(from_others_, numbers.x.data() + padded_block * index(pattern_->rows()));
        block_kernels(kernels_).multiply<T>()(static_cast<int>(pattern_->rows()), pattern_->begins(), pattern_->local(),
                                              numbers.blocks.data(), numbers.x.data(), numbers.y.data());
        unpad(numbers.y, to);
      },
      numbers_);
}

void AggregateMatrix::sweep(const std::vector<double>& inverses, std::vector<double>& x) const {
  const auto& numbers = std::get<Numbers<double>>(numbers_);
  block_kernels(kernels_).solve(static_cast<int>(pattern_->rows()), pattern_->begins(), pattern_->local(),
                                numbers.blocks.data(), inverses.data(), x.data());
}

void AggregateMatrix::diagonal(Vec out) const {
  petsc::WriteView to(out);
  for (std::size_t a = 0; a < index(pattern_->rows()); ++a) {
    const Block own = diagonal_block(pattern_->first() + static_cast<PetscInt>(a));
    for (std::size_t m = 0; m < rigid_motions; ++m) to[rigid_motions * a + m] = own[(rigid_motions + 1) * m];
  }
}

const PetscScalar* AggregateMatrix::inverse_blocks() {
  inverses_.resize(entries * index(pattern_->rows()));
  for (std::size_t a = 0; a < index(pattern_->rows()); ++a) {
    using Square = Eigen::Matrix<double, six, six>;
    const Block own = diagonal_block(pattern_->first() + static_cast<PetscInt>(a));
    Eigen::Map<Square>(inverses_.data() + entries * a) = Eigen::Map<const Square>(own.data()).inverse();
  }
  return inverses_.data();
}

petsc::Handle<Mat> AggregateMatrix::assembled() const {
  petsc::Handle<Mat> result;
  std::vector<PetscInt> diagonal(index(pattern_->rows())), other(index(pattern_->rows()));
  const auto in_rows = [this](PetscInt row) { return index(row - pattern_->first()); };
  pattern_->visit([&](std::size_t, PetscInt row, PetscInt column) {
    if (!pattern_->own(column)) {
      ++other[in_rows(row)];
      return;
    }
    ++diagonal[in_rows(row)];
    if (row != column) ++diagonal[in_rows(column)];
  });
  check(MatCreate(comm(), result.out()));
  check(MatSetSizes(result.get(), six * pattern_->rows(), six * pattern_->rows(), PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(result.get(), MATAIJ));
  check(MatSetBlockSize(result.get(), six));
  check(MatXAIJSetPreallocation(result.get(), six, diagonal.data(), other.data(), nullptr, nullptr));
  check(MatSetOption(result.get(), MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
  const auto insert = [&](PetscInt row, PetscInt column, const Block& block) {
    check(MatSetValuesBlocked(result.get(), 1, &row, 1, &column, block.data(), INSERT_VALUES));
  };
  visit([&](PetscInt row, PetscInt column, const Block& block) {
    insert(row, column, block);
    if (row != column && pattern_->own(column)) insert(column, row, transposed(block));
  });
  check(MatAssemblyBegin(result.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(result.get(), MAT_FINAL_ASSEMBLY));
  return result;
}

}  // namespace gearshift::solid
