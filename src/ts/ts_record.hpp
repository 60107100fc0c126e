#pragma once

#include "dynamics/checkpoint/memory_archive.hpp"
#include "dynamics/checkpoint/natural_order.hpp"

#include <petscviewer.h>

#include <functional>
#include <optional>
#include <string>

namespace gearshift::ts {

/// The state of a TS of type gear in a PETSc binary file: a mark, the version of this format, four counts; the list of
/// parts, one line "<kind> <length> <name>" each; the reals; the integers; then each vector in an order that does not
/// depend on the ranks (the natural order of a DMDA, otherwise the global order).
///
/// TSLoad() reads the state before the DM is set; the state is therefore kept here until the solver is set up.
class TsRecord : public MemoryArchive {
 public:
  using Visit = std::function<void(Archive&)>;

  TsRecord() : MemoryArchive(Names::kept) {}

  /// Writes the parts that `visit` names. Collective.
  static void write(PetscViewer viewer, Vec layout, const Visit& visit);
  /// Reads the output of write(). Throws IoError, with the version number, if the file has another version of the
  /// format. Collective.
  void read(PetscViewer viewer);

  bool held() const { return held_; }
  /// Overwrites the parts that `visit` names, once. Throws IoError if they differ from the parts written.
  /// @param keys beginning of the solver's option names: "-ts_gear_", including the prefix
  void load(Vec layout, const std::string& keys, const Visit& visit);

  void vec(std::string_view name, Vec x) override;
  void local(std::string_view name, std::span<PetscReal> values) override;

 protected:
  [[noreturn]] void refuse(const std::string& does_not_fit) const override;

 private:
  void read_parts(const std::string& lines);

  std::optional<NaturalOrder> order_;  // during write() and load()
  std::string keys_;
  bool held_ = false;
};

}  // namespace gearshift::ts
