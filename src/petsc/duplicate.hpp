#pragma once

#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

namespace gearshift::petsc {

/// Returns a new Vec with the layout of `layout`, set to zero. Collective.
inline Handle<Vec> duplicate(Vec layout) {
  Handle<Vec> vec;
  check(VecDuplicate(layout, vec.out()));
  check(VecSet(vec.get(), 0));
  return vec;
}

}  // namespace gearshift::petsc
