#pragma once

/// @file
/// Material laws that users compile themselves.

#include <gearshift/solid/compiled_law.hpp>
#include <gearshift/solid/material.hpp>

#include <span>
#include <vector>

namespace gearshift::solid {

/// Makes a law known to law_of(), name_of() and Material: one entry for each instruction set. Registering the same
/// law again is not an error and changes nothing. OptionError: made for another version of the library, a name that is
/// taken, invalid parameters. Not collective; call it on all ranks before creating bodies.
///
/// A library that `gearshift_add_law(gent gent.hpp Gent)` makes does this when it is loaded by PETSc's
/// `-dll_append path/libgent.so`, or when a program that links it calls `PetscDLLibraryRegister_gent()`.
GEARSHIFT_EXPORT Law register_law(std::span<const CompiledLaw* const> versions);

/// The names of all laws, those of the library first, in the order of Law.
GEARSHIFT_EXPORT std::vector<const char*> law_names();

/// Parameter names of a registered law, in the order of Material::parameters; empty for the library's own laws.
GEARSHIFT_EXPORT std::span<const char* const> parameter_names(Law law);

}  // namespace gearshift::solid
