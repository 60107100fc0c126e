#include "ts/ts_record.hpp"

#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace gearshift::ts {

using petsc::check;
using petsc::Handle;

namespace {

// Version 1 had no mark: it began with the number of its reals, which is smaller than the mark.
constexpr PetscInt mark = 0x67656172;  // "gear"
constexpr PetscInt version = 5;

/// Writes numbers, or letters, from the first rank.
template <class List>
void write_list(PetscViewer viewer, const List& list, PetscDataType type) {
  if (!list.empty()) check(PetscViewerBinaryWrite(viewer, list.data(), static_cast<PetscInt>(list.size()), type));
}

template <class List>
List read_list(PetscViewer viewer, PetscInt count, PetscDataType type) {
  List list;
  list.resize(static_cast<std::size_t>(count));
  if (count > 0) check(PetscViewerBinaryRead(viewer, list.data(), count, nullptr, type));
  return list;
}

/// Returns a copy of a Vec with the distribution over ranks of another one, whose size is equal.
Handle<Vec> distributed_like(Vec to, Vec from) {
  Handle<Vec> result;
  Handle<IS> all;
  Handle<VecScatter> scatter;
  PetscInt first = 0, last = 0;
  check(VecDuplicate(to, result.out()));
  check(VecGetOwnershipRange(to, &first, &last));
  check(ISCreateStride(petsc::comm_of(to), last - first, first, 1, all.out()));
  check(VecScatterCreate(from, all.get(), result.get(), all.get(), scatter.out()));
  check(VecScatterBegin(scatter.get(), from, result.get(), INSERT_VALUES, SCATTER_FORWARD));
  check(VecScatterEnd(scatter.get(), from, result.get(), INSERT_VALUES, SCATTER_FORWARD));
  return result;
}

}  // namespace

void TsRecord::write(PetscViewer viewer, Vec layout, const Visit& visit) {
  TsRecord record;
  record.order_.emplace(layout, nullptr);
  visit(record);
  std::string lines;
  for (const Part& part : record.parts_)
    lines += std::to_string(static_cast<int>(part.kind)) + " " + std::to_string(part.count) + " " + part.name + "\n";
  const std::vector<PetscInt> integers(record.integers_.begin(), record.integers_.end());
  std::vector<PetscInt> header{mark, version};
  for (const std::size_t count : {lines.size(), record.reals_.size(), integers.size(), record.vecs_.size()})
    header.push_back(static_cast<PetscInt>(count));
  write_list(viewer, header, PETSC_INT);
  write_list(viewer, lines, PETSC_CHAR);
  write_list(viewer, record.reals_, PETSC_REAL);
  write_list(viewer, integers, PETSC_INT);
  for (const auto& vec : record.vecs_) check(VecView(vec.get(), viewer));
}

void TsRecord::read(PetscViewer viewer) {
  std::array<PetscInt, 2> format{};
  check(PetscViewerBinaryRead(viewer, format.data(), 2, nullptr, PETSC_INT));
  const PetscInt theirs = format[0] == mark ? format[1] : 1;
  if (theirs != version)
    throw IoError("the TS file has version " + std::to_string(theirs) +
                  " of the format of type gear, this program reads version " + std::to_string(version) +
                  ": continue with the gearshift version that wrote it" + (theirs > version ? ", or a newer one" : ""));
  std::array<PetscInt, 4> counts{};
  check(PetscViewerBinaryRead(viewer, counts.data(), 4, nullptr, PETSC_INT));
  if (*std::min_element(counts.begin(), counts.end()) < 0)
    throw IoError("the TS file is damaged: it contains a negative number of parts");
  read_parts(read_list<std::string>(viewer, counts[0], PETSC_CHAR));
  reals_ = read_list<std::vector<PetscReal>>(viewer, counts[1], PETSC_REAL);
  const auto integers = read_list<std::vector<PetscInt>>(viewer, counts[2], PETSC_INT);
  integers_.assign(integers.begin(), integers.end());
  vecs_.clear();
  for (PetscInt i = 0; i < counts[3]; ++i) {
    Handle<Vec> vec;
    check(VecCreate(petsc::comm_of(viewer), vec.out()));
    check(VecSetType(vec.get(), VECSTANDARD));
    check(VecLoad(vec.get(), viewer));
    vecs_.push_back(std::move(vec));
  }
  held_ = true;
}

void TsRecord::read_parts(const std::string& lines) {
  parts_.clear();
  std::istringstream text(lines);
  int kind = 0;
  for (Part part{}; text >> kind >> part.count && text.get() == ' ' && std::getline(text, part.name);) {
    part.kind = static_cast<Kind>(kind);
    parts_.push_back(part);
  }
}

void TsRecord::load(Vec layout, const std::string& keys, const Visit& visit) {
  keys_ = keys;
  order_.emplace(layout, nullptr);
  for (Handle<Vec>& vec : vecs_) {
    if (petsc::size_of(vec.get()) != petsc::size_of(order_->natural())) refuse("holds vectors of another size");
    vec = distributed_like(order_->natural(), vec.get());
  }
  begin_loading();
  visit(*this);
  finish_loading();
  *this = {};
}

void TsRecord::vec(std::string_view name, Vec x) {
  if (!loading()) return MemoryArchive::vec(name, order_->from(x));
  MemoryArchive::vec(name, order_->natural());
  order_->into(x);
}

void TsRecord::local(std::string_view name, std::span<PetscReal>) {
  throw IoError("'" + std::string(name) + "' is stored per rank; a TS file does not support this");
}

void TsRecord::refuse(const std::string& does_not_fit) const {
  throw IoError("the TS file " + does_not_fit + ": it was written with other " + keys_ +
                " options or by another program");
}

}  // namespace gearshift::ts
