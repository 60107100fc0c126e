#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscviewer.h>

#include <functional>
#include <string>
#include <vector>

namespace gearshift::ts {

/// The state of a TS of type gear in a PETSc binary file: a mark, the version of this format, four counts; a label of
/// each part, made of its name, kind and length; the reals; the whole numbers; then each vector in an order that does not
/// depend on the ranks (the natural one of a DMDA, else the global one).
///
/// TSLoad() reads it before it knows the DM, so that it is held here until the solver is set up.
class TsRecord {
 public:
  using Visit = std::function<void(Archive&)>;

  /// Writes the parts that `visit` names. Collective.
  static void write(PetscViewer viewer, Vec layout, const Visit& visit);
  /// Reads what write() wrote. Throws IoError where that was another version of the format, told by its number.
  /// Collective.
  void read(PetscViewer viewer);

  bool held() const { return held_; }
  /// Overwrites the parts that `visit` names, once. Throws IoError where they are others than those written.
  /// @param keys what the solver's options begin with: "-ts_gear_", the prefix with it
  void load(Vec layout, const std::string& keys, const Visit& visit);

 private:
  std::vector<PetscReal> reals_;
  std::vector<PetscInt> labels_, integers_;
  std::vector<petsc::Handle<Vec>> vecs_;
  bool held_ = false;
};

}  // namespace gearshift::ts
