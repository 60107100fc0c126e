#pragma once

/// @file
/// User-defined material laws, compiled separately.

#include <gearshift/solid/compiled_law.hpp>
#include <gearshift/solid/material.hpp>

#include <span>
#include <vector>

namespace gearshift::solid {

/// Registers a law, so that law_of(), name_of() and Material know it: one entry for each instruction set. Registering
/// the same law again is allowed and changes nothing. Throws OptionError if the law was compiled for another version of
/// the library, if its name is taken, or if its parameters are invalid. Not collective; call it on all ranks before
/// creating bodies.
///
/// A library built by `gearshift_add_law(gent gent.hpp Gent)` calls this function when PETSc loads it by `-dll_append
/// path/libgent.so`, or when a program that links it calls `PetscDLLibraryRegister_gent()`.
GEARSHIFT_EXPORT Law register_law(std::span<const CompiledLaw* const> versions);

/// Returns the names of all laws, the library's own first, in the order of Law.
GEARSHIFT_EXPORT std::vector<const char*> law_names();

/// Returns the parameter names of a registered law, in the order of Material::parameters; empty for the library's own
/// laws.
GEARSHIFT_EXPORT std::span<const char* const> parameter_names(Law law);

}  // namespace gearshift::solid
