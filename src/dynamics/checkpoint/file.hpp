#pragma once

/// @file
/// Files that contain the state of an integration.
///
/// A checkpoint is an HDF5 file (readable by h5dump and h5py) followed by a seal of 32 bytes, which HDF5 ignores:
///
///     /header/words/<key>       text, set by the caller, and: format ("gearshift checkpoint"), instruction_set, options
///                               (the options given to the program, one "-key value" per line)
///     /header/integers/<key>    set by the caller, and: version (of the format, checkpoint_parts.hpp), ranks, unknowns,
///                               natural (1: Vecs in the natural order, 0: in the global order), numbering (a
///                               fingerprint of the distribution of the unknowns over the ranks)
///     /header/reals/<key>       set by the caller
///     /partition                ranks + 1 numbers: rank r owned the unknowns from partition[r] to before partition[r+1]
///     /parts                    text, one line "<kind> <count> <name>" for each part in the order of the visit
///     /state/<name>             float64 or int64: the values of a part; Vecs, including those of internal variables,
///                               in the natural order if there is one
///     /local/<name>             int64: for a part stored per rank, the count of numbers that each rank wrote
///
///     seal: "gearseal", the length of the HDF5 file [uint64], its checksum (petsc/files/checksum.hpp) [uint64],
///           the checksum of the 24 bytes before [uint64]
///
/// Numbers have the byte order of the writer and are exact to the last bit. The seal is checked before HDF5 opens the
/// file.

#include <gearshift/dynamics/archive.hpp>

#include <petscis.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gearshift {

/// The description of a checkpoint, readable before its state. Keys contain no slash.
struct CheckpointHeader {
  std::map<std::string, std::string> words;
  std::map<std::string, std::int64_t> integers;
  std::map<std::string, PetscReal> reals;
};

/// The layouts of the Vecs in a state, each with a numbering that does not depend on the distribution over ranks: one
/// number for each owned entry.
struct CheckpointLayouts {
  Vec motion;                       ///< its communicator and DM (DMDA: natural order) are used
  IS natural = nullptr;             ///< nullptr: the natural order of the DM, or else the global order
  Vec internal = nullptr;           ///< of internal variables (Archive::internal())
  IS internal_numbering = nullptr;  ///< nullptr: internal variables are stored per rank
};

/// Writes the parts that `visit` names to the file `path`, completely or not at all: the data go to `<path>.part`,
/// which is sealed, flushed to disk and then renamed. The previous file is kept as `<path>.previous`.
///
/// Collective on the layouts' communicator. On all ranks it throws IoError, or the exception thrown by visit();
/// existing files are then unchanged.
GEARSHIFT_EXPORT void write_checkpoint(const CheckpointLayouts& layouts, const std::string& path,
                                       const std::function<void(Archive&)>& visit, const CheckpointHeader& header = {});

/// Returns the file that read_checkpoint(path) reads: `path`, or `<path>.previous` if only that one exists; empty if
/// neither exists. Collective.
GEARSHIFT_EXPORT std::string find_checkpoint(MPI_Comm comm, const std::string& path);

/// Reads only the header. Collective; throws like read_checkpoint().
GEARSHIFT_EXPORT CheckpointHeader read_checkpoint_header(MPI_Comm comm, const std::string& path);

/// Overwrites the parts that `visit` names with those of the file. Name, kind, size and order must agree. On the same
/// number of ranks with the same partition every bit is restored as it was written. On other ranks Vecs are distributed
/// by the natural (or else global) order, and parts stored per rank (Archive::local) are refused.
///
/// Collective. Throws IoError on all ranks if there is no file, if it is damaged (the text says whether
/// `<path>.previous` is intact), or if it does not fit (the text names the part); in the last case part of the state
/// may be overwritten.
GEARSHIFT_EXPORT CheckpointHeader read_checkpoint(const CheckpointLayouts& layouts, const std::string& path,
                                                  const std::function<void(Archive&)>& visit);

/// Returns an empty text if the present file at `path` is as it was written, otherwise the damage. Collective; does not
/// throw for damage.
GEARSHIFT_EXPORT std::string checkpoint_damage(MPI_Comm comm, const std::string& path);

/// Returns one line for each option of the program that differs from the header ("-gear_dt: 0.01 in the checkpoint,
/// 0.02 now"), except options about checkpoints themselves, and one line if the instruction set differs.
GEARSHIFT_EXPORT std::vector<std::string> changes_since(const CheckpointHeader& header);

}  // namespace gearshift
