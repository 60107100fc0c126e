#pragma once

/// @file
/// The state of an integration as a file.
///
/// A checkpoint is an HDF5 file (h5dump and h5py read it) followed by a seal of 32 bytes, which HDF5 does not look at:
///
///     /header/words/<key>       text, set by the caller, and: format ("gearshift checkpoint"), instruction_set, options
///                               (those given to the program, one "-key value" a line)
///     /header/integers/<key>    set by the caller, and: version (of the format, checkpoint_parts.hpp), ranks, unknowns,
///                               natural (1: Vecs in the natural order, 0: in the global order), numbering (a
///                               fingerprint of which rank owns what)
///     /header/reals/<key>       set by the caller
///     /partition                ranks + 1 numbers: rank r owned the unknowns from partition[r] to before partition[r+1]
///     /parts                    text, one line "<kind> <count> <name>" for each part in the order of the visit
///     /state/<name>             float64 or int64: the parts' values; Vecs in the natural order where there is one,
///                               those of internal variables too
///     /local/<name>             int64: of a part kept per rank, how many numbers each rank wrote
///
///     seal: "gearseal", the length of the HDF5 file [uint64], its checksum (petsc/checksum.hpp) [uint64],
///           the checksum of the 24 bytes before [uint64]
///
/// Numbers are in the writer's byte order, bit for bit. The seal is checked before HDF5 opens the file.

#include <gearshift/dynamics/archive.hpp>

#include <petscis.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gearshift {

/// What a checkpoint says about itself, readable before its state. Keys contain no slash.
struct CheckpointHeader {
  std::map<std::string, std::string> words;
  std::map<std::string, std::int64_t> integers;
  std::map<std::string, PetscReal> reals;
};

/// The layouts of the Vecs in a state, each with a numbering that does not depend on the ranks: a number for each owned
/// entry.
struct CheckpointLayouts {
  Vec motion;                       ///< its communicator and DM (DMDA: natural order) are used
  IS natural = nullptr;             ///< nullptr: the DM's, else the global order
  Vec internal = nullptr;           ///< of internal variables (Archive::internal())
  IS internal_numbering = nullptr;  ///< nullptr: they are kept per rank
};

/// Writes the parts that `visit` names to the file `path`, completely or not at all: beside it (`<path>.part`), with a
/// seal, brought to the disk, then renamed. The file before is kept as `<path>.previous`.
///
/// Collective on the layouts' communicator. Throws IoError on all ranks, and what visit() throws on all ranks; the
/// files before are then as they were.
GEARSHIFT_EXPORT void write_checkpoint(const CheckpointLayouts& layouts, const std::string& path,
                                       const std::function<void(Archive&)>& visit, const CheckpointHeader& header = {});

/// The file that read_checkpoint(path) reads: `path`, or `<path>.previous` where only that one is there; empty: neither.
/// Collective.
GEARSHIFT_EXPORT std::string find_checkpoint(MPI_Comm comm, const std::string& path);

/// Reads the header alone. Collective; throws as read_checkpoint().
GEARSHIFT_EXPORT CheckpointHeader read_checkpoint_header(MPI_Comm comm, const std::string& path);

/// Overwrites the parts that `visit` names with those of the file, which must be the same in name, kind, size and order.
/// On as many ranks with the same partition every bit is that which was written; on others Vecs are distributed by the
/// natural (or else global) order, and parts kept per rank (Archive::local) are refused.
///
/// Collective. Throws IoError on all ranks: where there is no file, where it is damaged (the text says whether
/// `<path>.previous` is whole), or where it does not fit (the text names the part); in the last case the state may be
/// overwritten in part.
GEARSHIFT_EXPORT CheckpointHeader read_checkpoint(const CheckpointLayouts& layouts, const std::string& path,
                                                  const std::function<void(Archive&)>& visit);

/// Whether the present file at `path` is as it was written; else why not. Collective; does not throw for damage.
GEARSHIFT_EXPORT std::string checkpoint_damage(MPI_Comm comm, const std::string& path);

/// One line for each option of the program that differs from those in the header ("-gear_dt: 0.01 in the checkpoint,
/// 0.02 now"), the ones about checkpoints themselves left out; and one where the instruction set does.
GEARSHIFT_EXPORT std::vector<std::string> changes_since(const CheckpointHeader& header);

}  // namespace gearshift
