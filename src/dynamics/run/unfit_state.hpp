#pragma once

#include <gearshift/petsc/error.hpp>

namespace gearshift {

/// A state that is loaded belongs to something else than what it is loaded into; what() says what differs, and
/// read_checkpoint() puts the file's name before it.
class GEARSHIFT_EXPORT UnfitState : public IoError {
 public:
  using IoError::IoError;
};

}  // namespace gearshift
