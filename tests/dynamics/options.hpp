#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <string>

/// During its lifetime the option database holds only these options: `OptionsScope scope("-snes_rtol 1e-13");`
class OptionsScope {
 public:
  explicit OptionsScope(const std::string& text) {
    gearshift::petsc::check(PetscOptionsCreate(&options_));
    gearshift::petsc::check(PetscOptionsInsertString(options_, text.c_str()));
    gearshift::petsc::check(PetscOptionsPush(options_));
  }
  ~OptionsScope() {
    (void)!PetscOptionsPop();
    (void)!PetscOptionsDestroy(&options_);
  }
  OptionsScope(const OptionsScope&) = delete;
  OptionsScope& operator=(const OptionsScope&) = delete;

 private:
  PetscOptions options_ = nullptr;
};
