#include "ts/ts_record.hpp"

#include "dynamics/run/natural_order.hpp"

#include <array>

namespace gearshift::ts {

using petsc::check;
using petsc::Handle;

namespace {

MPI_Comm comm_of(PetscViewer viewer) { return PetscObjectComm(reinterpret_cast<PetscObject>(viewer)); }

/// Writes from the first rank.
template <class T>
void write_numbers(PetscViewer viewer, std::vector<T>& numbers, PetscDataType type) {
  if (!numbers.empty())
    check(PetscViewerBinaryWrite(viewer, numbers.data(), static_cast<PetscInt>(numbers.size()), type));
}

template <class T>
void read_numbers(PetscViewer viewer, std::vector<T>& numbers, PetscInt count, PetscDataType type) {
  numbers.resize(static_cast<std::size_t>(count));
  if (count > 0) check(PetscViewerBinaryRead(viewer, numbers.data(), count, nullptr, type));
}

/// Collects the parts; vectors as plain ones in natural order.
class Collect : public Archive {
 public:
  explicit Collect(Vec layout) : order_(layout, nullptr) {}
  bool loading() const override { return false; }
  void reals(std::string_view, std::span<PetscReal> values) override {
    all_reals.insert(all_reals.end(), values.begin(), values.end());
  }
  void integers(std::string_view, std::span<std::int64_t> values) override {
    for (const std::int64_t value : values) all_integers.push_back(static_cast<PetscInt>(value));
  }
  void vec(std::string_view, Vec x) override {
    Handle<Vec> copy;
    Vec natural = order_.from(x);
    check(VecDuplicate(natural, copy.out()));
    check(VecCopy(natural, copy.get()));
    all_vecs.push_back(std::move(copy));
  }
  void local(std::string_view name, std::span<PetscReal>) override {
    throw IoError("'" + std::string(name) + "' is kept per rank; a TS file has no place for it");
  }
  std::vector<PetscReal> all_reals;
  std::vector<PetscInt> all_integers;
  std::vector<Handle<Vec>> all_vecs;

 private:
  NaturalOrder order_;
};

}  // namespace

void TsRecord::write(PetscViewer viewer, Vec layout, const Visit& visit) {
  Collect parts(layout);
  visit(parts);
  std::vector<PetscInt> counts{static_cast<PetscInt>(parts.all_reals.size()),
                               static_cast<PetscInt>(parts.all_integers.size()),
                               static_cast<PetscInt>(parts.all_vecs.size())};
  write_numbers(viewer, counts, PETSC_INT);
  write_numbers(viewer, parts.all_reals, PETSC_REAL);
  write_numbers(viewer, parts.all_integers, PETSC_INT);
  for (const auto& vec : parts.all_vecs) check(VecView(vec.get(), viewer));
}

void TsRecord::read(PetscViewer viewer) {
  std::array<PetscInt, 3> counts{};
  check(PetscViewerBinaryRead(viewer, counts.data(), 3, nullptr, PETSC_INT));
  read_numbers(viewer, reals_, counts[0], PETSC_REAL);
  read_numbers(viewer, integers_, counts[1], PETSC_INT);
  vecs_.clear();
  for (PetscInt i = 0; i < counts[2]; ++i) {
    Handle<Vec> vec;
    check(VecCreate(comm_of(viewer), vec.out()));
    check(VecSetType(vec.get(), VECSTANDARD));
    check(VecLoad(vec.get(), viewer));
    vecs_.push_back(std::move(vec));
  }
  held_ = true;
}

namespace {

/// Gives the parts back in the order in which they were collected.
class Distribute : public Archive {
 public:
  Distribute(Vec layout, const std::string& keys, const std::vector<PetscReal>& reals,
             const std::vector<PetscInt>& integers, const std::vector<Handle<Vec>>& vecs)
      : order_(layout, nullptr), keys_(keys), reals_(reals), integers_(integers), vecs_(vecs) {}
  bool loading() const override { return true; }
  void reals(std::string_view name, std::span<PetscReal> values) override {
    for (PetscReal& value : values) value = next(name, reals_, real_);
  }
  void integers(std::string_view name, std::span<std::int64_t> values) override {
    for (std::int64_t& value : values) value = next(name, integers_, integer_);
  }
  void vec(std::string_view name, Vec x) override {
    if (vec_ >= vecs_.size()) misfit(name);
    Vec from = vecs_[vec_++].get(), to = order_.natural();
    PetscInt sizes[2] = {0, 0}, first = 0, last = 0;
    check(VecGetSize(from, &sizes[0]));
    check(VecGetSize(to, &sizes[1]));
    if (sizes[0] != sizes[1]) misfit(name);
    Handle<IS> all;
    Handle<VecScatter> scatter;
    check(VecGetOwnershipRange(to, &first, &last));
    check(ISCreateStride(PetscObjectComm(reinterpret_cast<PetscObject>(to)), last - first, first, 1, all.out()));
    check(VecScatterCreate(from, all.get(), to, all.get(), scatter.out()));
    check(VecScatterBegin(scatter.get(), from, to, INSERT_VALUES, SCATTER_FORWARD));
    check(VecScatterEnd(scatter.get(), from, to, INSERT_VALUES, SCATTER_FORWARD));
    order_.into(x);
  }
  void local(std::string_view name, std::span<PetscReal>) override { misfit(name); }
  bool finished() const { return real_ == reals_.size() && integer_ == integers_.size() && vec_ == vecs_.size(); }

 private:
  [[noreturn]] void misfit(std::string_view name) const {
    throw IoError("the TS file does not fit at '" + path(name) + "': it was written with other " + keys_ +
                  " options or by another program");
  }
  template <class T>
  T next(std::string_view name, const std::vector<T>& from, std::size_t& at) const {
    if (at >= from.size()) misfit(name);
    return from[at++];
  }

  NaturalOrder order_;
  const std::string& keys_;
  const std::vector<PetscReal>& reals_;
  const std::vector<PetscInt>& integers_;
  const std::vector<Handle<Vec>>& vecs_;
  std::size_t real_ = 0, integer_ = 0, vec_ = 0;
};

}  // namespace

void TsRecord::load(Vec layout, const std::string& keys, const Visit& visit) {
  Distribute parts(layout, keys, reals_, integers_, vecs_);
  visit(parts);
  if (!parts.finished())
    throw IoError("the TS file holds more than this solver has: it was written with other " + keys + " options");
  *this = {};
}

}  // namespace gearshift::ts
