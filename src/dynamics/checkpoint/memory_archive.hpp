#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include <string>
#include <vector>

namespace gearshift {

/// An Archive in memory that stores parts in the order in which they are visited.
class MemoryArchive : public Archive {
 public:
  /// Names cost time and memory; without them a state that does not fit is not detected.
  enum class Names { kept, dropped };
  explicit MemoryArchive(Names names = Names::dropped) : keep_names_(names == Names::kept) {}

  /// Drops the stored parts; the following visits store.
  void begin_saving();
  /// The following visits overwrite the visited values with the stored ones.
  void begin_loading() const;
  /// Throws unless every stored part was visited.
  void finish_loading() const;

  bool loading() const override { return loading_; }
  void reals(std::string_view name, std::span<PetscReal> values) override;
  void integers(std::string_view name, std::span<std::int64_t> values) override;
  void vec(std::string_view name, Vec x) override;
  void local(std::string_view name, std::span<PetscReal> values) override;

  /// The distributed vectors in the order in which they were stored; they may be replaced before they are loaded.
  std::span<petsc::Handle<Vec>> vectors() { return vecs_; }

  /// Returns the name of the first part whose bits differ on this rank, or an empty string. Names must be kept.
  std::string difference(const MemoryArchive& other) const;

 protected:
  enum class Kind { real, integer, vec };
  struct Part {
    Kind kind;
    std::size_t begin, count;
    std::string name;
  };
  /// Throws an error about the state that is stored: "<it> <does not fit>: it was ...".
  [[noreturn]] virtual void refuse(const std::string& does_not_fit) const;

  std::vector<PetscReal> reals_;
  std::vector<std::int64_t> integers_;
  std::vector<petsc::Handle<Vec>> vecs_;
  std::vector<Part> parts_;

 private:
  void visit(Kind kind, std::size_t begin, std::size_t count, std::string_view name);
  template <class T>
  void copy(std::vector<T>& store, std::size_t& at, std::span<T> values);
  bool same(const Part& part, const MemoryArchive& other) const;

  bool keep_names_;
  mutable bool loading_ = false;
  mutable std::size_t next_real_ = 0, next_integer_ = 0, next_vec_ = 0, next_part_ = 0;
};

}  // namespace gearshift
