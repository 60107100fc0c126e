#include "dynamics/checkpoint/memory_archive.hpp"

#include "petsc/queries.hpp"

#include <algorithm>
#include <cstring>

namespace gearshift {

using petsc::check;

void MemoryArchive::begin_saving() {
  loading_ = false;
  reals_.clear();
  integers_.clear();
  vecs_.clear();
  parts_.clear();
}

void MemoryArchive::begin_loading() const {
  loading_ = true;
  next_real_ = next_integer_ = next_vec_ = next_part_ = 0;
}

void MemoryArchive::finish_loading() const {
  if (next_real_ != reals_.size() || next_integer_ != integers_.size() || next_vec_ != vecs_.size() ||
      next_part_ != parts_.size())
    refuse("holds more than this solver has");
}

void MemoryArchive::refuse(const std::string& does_not_fit) const {
  throw Error("the snapshot " + does_not_fit + ": it was taken with another system, method or size");
}

void MemoryArchive::visit(Kind kind, std::size_t begin, std::size_t count, std::string_view name) {
  if (!keep_names_) return;
  if (!loading_) {
    parts_.push_back({kind, begin, count, path(name)});
    return;
  }
  const bool fits = next_part_ < parts_.size() && parts_[next_part_].kind == kind &&
                    parts_[next_part_].count == count && parts_[next_part_].name == path(name);
  if (!fits) refuse("does not fit at '" + path(name) + "'");
  ++next_part_;
}

template <class T>
void MemoryArchive::copy(std::vector<T>& store, std::size_t& at, std::span<T> values) {
  if (!loading_) {
    store.insert(store.end(), values.begin(), values.end());
    return;
  }
  if (at + values.size() > store.size()) refuse("holds less than this solver needs");
  std::copy_n(store.begin() + static_cast<std::ptrdiff_t>(at), values.size(), values.begin());
  at += values.size();
}

void MemoryArchive::reals(std::string_view name, std::span<PetscReal> values) {
  visit(Kind::real, reals_.size(), values.size(), name);
  copy(reals_, next_real_, values);
}

void MemoryArchive::integers(std::string_view name, std::span<std::int64_t> values) {
  visit(Kind::integer, integers_.size(), values.size(), name);
  copy(integers_, next_integer_, values);
}

void MemoryArchive::local(std::string_view name, std::span<PetscReal> values) { reals(name, values); }

void MemoryArchive::vec(std::string_view name, Vec x) {
  visit(Kind::vec, vecs_.size(), 1, name);
  if (!loading_) {
    vecs_.push_back(petsc::copy_of(x));
    return;
  }
  if (next_vec_ >= vecs_.size()) refuse("holds less than this solver needs");
  check(VecCopy(vecs_[next_vec_++].get(), x));
}

bool MemoryArchive::same(const Part& part, const MemoryArchive& other) const {
  const auto bits = [&](const auto& a, const auto& b) {
    return std::memcmp(&a[part.begin], &b[part.begin], part.count * sizeof(a[0])) == 0;
  };
  if (part.count == 0) return true;
  if (part.kind == Kind::real) return bits(reals_, other.reals_);
  if (part.kind == Kind::integer) return bits(integers_, other.integers_);
  const petsc::ReadView mine(vecs_[part.begin].get()), theirs(other.vecs_[part.begin].get());
  return mine.size() == theirs.size() &&
         (mine.size() == 0 || std::memcmp(&mine[0], &theirs[0], mine.size() * sizeof(PetscScalar)) == 0);
}

std::string MemoryArchive::difference(const MemoryArchive& other) const {
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = parts_[i];
    const bool there = i < other.parts_.size() && other.parts_[i].name == part.name &&
                       other.parts_[i].kind == part.kind && other.parts_[i].count == part.count;
    if (!there || !same(part, other)) return part.name;
  }
  return parts_.size() == other.parts_.size() ? "" : "more parts";
}

}  // namespace gearshift
