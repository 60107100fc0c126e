#pragma once

#include <gearshift/dynamics/archive.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscviewer.h>

#include <functional>
#include <string>
#include <vector>

namespace gearshift::ts {

/// The state of a TS of type gear in a PETSc binary file: a mark, the version of this format, four counts; a label for
/// each part, computed from its name, kind and length; the reals; the integers; then each vector in an order that does
/// not depend on the ranks (the natural order of a DMDA, otherwise the global order).
///
/// TSLoad() reads the state before the DM is set; the state is therefore kept here until the solver is set up.
class TsRecord {
 public:
  using Visit = std::function<void(Archive&)>;

  /// Writes the parts that `visit` names. Collective.
  static void write(PetscViewer viewer, Vec layout, const Visit& visit);
  /// Reads the output of write(). Throws IoError, with the version number, if the file has another version of the
  /// format. Collective.
  void read(PetscViewer viewer);

  bool held() const { return held_; }
  /// Overwrites the parts that `visit` names, once. Throws IoError if they differ from the parts written.
  /// @param keys beginning of the solver's option names: "-ts_gear_", including the prefix
  void load(Vec layout, const std::string& keys, const Visit& visit);

 private:
  std::vector<PetscReal> reals_;
  std::vector<PetscInt> labels_, integers_;
  std::vector<petsc::Handle<Vec>> vecs_;
  bool held_ = false;
};

}  // namespace gearshift::ts
