#pragma once

/// @file
/// The folder that a run writes into, and whole files written at once.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <filesystem>
#include <string>

namespace gearshift::io {

/// Makes the folder (and its parents) where it is missing, and tries that a file can be written there.
/// Collective on comm; throws IoError on all ranks.
GEARSHIFT_EXPORT void prepare_folder(MPI_Comm comm, const std::filesystem::path& folder);

/// Writes the file under a temporary name and renames it, so that readers see the old file or the new one, never a
/// part. Not collective. Throws IoError.
GEARSHIFT_EXPORT void write_atomically(const std::filesystem::path& file, const std::string& text);

/// Throws IoError with the text of the lowest rank that has one; returns where all are empty. Collective on comm.
GEARSHIFT_EXPORT void throw_together(MPI_Comm comm, const std::string& failure);

}  // namespace gearshift::io
