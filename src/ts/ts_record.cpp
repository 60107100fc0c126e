#include "ts/ts_record.hpp"

#include "dynamics/run/natural_order.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace gearshift::ts {

using petsc::check;
using petsc::Handle;

namespace {

// Version 1 had no mark and no labels: it began with the number of its reals. That number is smaller than the mark.
constexpr PetscInt mark = 0x67656172;  // "gear"
constexpr PetscInt version = 2;

MPI_Comm comm_of(PetscViewer viewer) { return PetscObjectComm(reinterpret_cast<PetscObject>(viewer)); }

enum class Kind { reals, integers, vec };

/// Returns the name, kind and length of a part as one number (FNV-1a), so that state of another kind is not mistaken
/// for it.
PetscInt label_of(const std::string& path, Kind kind, std::size_t count) {
  std::uint32_t sum = 2166136261U;
  const auto add = [&](std::uint32_t byte) { sum = (sum ^ byte) * 16777619U; };
  for (const char letter : path) add(static_cast<unsigned char>(letter));
  add(static_cast<std::uint32_t>(kind));
  for (std::size_t rest = count; rest > 0; rest /= 256) add(static_cast<std::uint32_t>(rest % 256));
  return static_cast<PetscInt>(sum >> 1U);
}

/// Writes numbers from the first rank.
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

/// Collects the parts; vectors are stored as plain ones in natural order.
class Collect : public Archive {
 public:
  explicit Collect(Vec layout) : order_(layout, nullptr) {}
  bool loading() const override { return false; }
  void reals(std::string_view name, std::span<PetscReal> values) override {
    add(name, Kind::reals, values.size());
    all_reals.insert(all_reals.end(), values.begin(), values.end());
  }
  void integers(std::string_view name, std::span<std::int64_t> values) override {
    add(name, Kind::integers, values.size());
    for (const std::int64_t value : values) all_integers.push_back(static_cast<PetscInt>(value));
  }
  void vec(std::string_view name, Vec x) override {
    add(name, Kind::vec, 1);
    Handle<Vec> copy;
    Vec natural = order_.from(x);
    check(VecDuplicate(natural, copy.out()));
    check(VecCopy(natural, copy.get()));
    all_vecs.push_back(std::move(copy));
  }
  void local(std::string_view name, std::span<PetscReal>) override {
    throw IoError("'" + std::string(name) + "' is stored per rank; a TS file does not support this");
  }
  std::vector<PetscReal> all_reals;
  std::vector<PetscInt> labels, all_integers;
  std::vector<Handle<Vec>> all_vecs;

 private:
  void add(std::string_view name, Kind kind, std::size_t count) { labels.push_back(label_of(path(name), kind, count)); }
  NaturalOrder order_;
};

}  // namespace

void TsRecord::write(PetscViewer viewer, Vec layout, const Visit& visit) {
  Collect parts(layout);
  visit(parts);
  std::vector<PetscInt> header{mark, version};
  for (const std::size_t count :
       {parts.labels.size(), parts.all_reals.size(), parts.all_integers.size(), parts.all_vecs.size()})
    header.push_back(static_cast<PetscInt>(count));
  write_numbers(viewer, header, PETSC_INT);
  write_numbers(viewer, parts.labels, PETSC_INT);
  write_numbers(viewer, parts.all_reals, PETSC_REAL);
  write_numbers(viewer, parts.all_integers, PETSC_INT);
  for (const auto& vec : parts.all_vecs) check(VecView(vec.get(), viewer));
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
  read_numbers(viewer, labels_, counts[0], PETSC_INT);
  read_numbers(viewer, reals_, counts[1], PETSC_REAL);
  read_numbers(viewer, integers_, counts[2], PETSC_INT);
  vecs_.clear();
  for (PetscInt i = 0; i < counts[3]; ++i) {
    Handle<Vec> vec;
    check(VecCreate(comm_of(viewer), vec.out()));
    check(VecSetType(vec.get(), VECSTANDARD));
    check(VecLoad(vec.get(), viewer));
    vecs_.push_back(std::move(vec));
  }
  held_ = true;
}

namespace {

/// Returns the parts in the order in which they were collected.
class Distribute : public Archive {
 public:
  Distribute(Vec layout, const std::string& keys, const std::vector<PetscInt>& labels,
             const std::vector<PetscReal>& reals, const std::vector<PetscInt>& integers,
             const std::vector<Handle<Vec>>& vecs)
      : order_(layout, nullptr), keys_(keys), labels_(labels), reals_(reals), integers_(integers), vecs_(vecs) {}
  bool loading() const override { return true; }
  void reals(std::string_view name, std::span<PetscReal> values) override {
    expect(name, Kind::reals, values.size());
    for (PetscReal& value : values) value = next(name, reals_, real_);
  }
  void integers(std::string_view name, std::span<std::int64_t> values) override {
    expect(name, Kind::integers, values.size());
    for (std::int64_t& value : values) value = next(name, integers_, integer_);
  }
  void vec(std::string_view name, Vec x) override {
    expect(name, Kind::vec, 1);
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
  bool finished() const {
    return label_ == labels_.size() && real_ == reals_.size() && integer_ == integers_.size() && vec_ == vecs_.size();
  }

 private:
  [[noreturn]] void misfit(std::string_view name) const {
    throw IoError("the TS file does not fit at '" + path(name) + "': it was written with other " + keys_ +
                  " options or by another program");
  }
  void expect(std::string_view name, Kind kind, std::size_t count) {
    if (next(name, labels_, label_) != label_of(path(name), kind, count)) misfit(name);
  }
  template <class T>
  T next(std::string_view name, const std::vector<T>& from, std::size_t& at) const {
    if (at >= from.size()) misfit(name);
    return from[at++];
  }

  NaturalOrder order_;
  const std::string& keys_;
  const std::vector<PetscInt>& labels_;
  const std::vector<PetscReal>& reals_;
  const std::vector<PetscInt>& integers_;
  const std::vector<Handle<Vec>>& vecs_;
  std::size_t label_ = 0, real_ = 0, integer_ = 0, vec_ = 0;
};

}  // namespace

void TsRecord::load(Vec layout, const std::string& keys, const Visit& visit) {
  Distribute parts(layout, keys, labels_, reals_, integers_, vecs_);
  visit(parts);
  if (!parts.finished())
    throw IoError("the TS file holds more than this solver has: it was written with other " + keys + " options");
  *this = {};
}

}  // namespace gearshift::ts
