#pragma once

#include <gearshift/petsc/error.hpp>

namespace gearshift {

/// A loaded state belongs to something other than its destination. what() describes the difference; read_checkpoint()
/// puts the name of the file in front of it.
class GEARSHIFT_EXPORT UnfitState : public IoError {
 public:
  using IoError::IoError;
};

}  // namespace gearshift
