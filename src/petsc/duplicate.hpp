#pragma once

#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

namespace gearshift::petsc {

/// A new Vec of the same layout, zero. Collective.
inline Handle<Vec> duplicate(Vec layout) {
  Handle<Vec> vec;
  check(VecDuplicate(layout, vec.out()));
  check(VecSet(vec.get(), 0));
  return vec;
}

}  // namespace gearshift::petsc
