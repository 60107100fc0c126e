#pragma once

/// @file
/// The fields of result files.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/io/frame_writer.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/stress_recovery.hpp>

#include "app/results/greatest.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gearshift::app {

/// What names a key takes: of frames all, of probes those that have values between nodes, of the envelope those that
/// have a
/// greatest value (scalars, vectors by their magnitude, the greatest principal stress).
enum class FieldUse { frames, probes, envelope };

/// All names of a use, in the order of Fields::of_points() and of_cells().
std::span<const char* const> field_names(FieldUse use = FieldUse::frames);
/// The same, separated by commas.
std::string list_of_fields(FieldUse use);

/// A field's components, as columns of a table; none for fields of cells.
std::vector<std::string> columns_of_field(std::string_view name);

/// Throws OptionError, with the most similar name or why it is not of this use, for a name that is none of these.
void check_field_names(const char* key, FieldUse use, const std::vector<std::string>& names);

/// The greatest von Mises stress at a time, of all nodes and of all quadrature points, and the reference position of
/// each;
/// NaN where there is one.
struct StressPeak {
  PetscReal t = 0;  ///< or the load factor; Frames knows it
  Place nodes, points;
};

/// What -fields asks for, at one state after the other. Every function is collective.
class Fields {
 public:
  Fields(const solid::Body& body, std::vector<std::string> names);

  /// The memory that they would need on this rank [bytes]; the body need not be set up. Collective.
  static double memory_estimate(const solid::Body& body, const std::vector<std::string>& names);

  /// Whether a field is among them.
  bool has(std::string_view name) const;
  /// Where fields that may jump have their values.
  const solid::NodePlaces& places() const { return recovery_ ? recovery_->places() : plain_; }

  /// Computes them at a state, whose Vecs they borrow. Accelerations are absolute where the base is shaken.
  /// @param moving false: accelerations are not known, and 0, as before the first step and in statics
  void update(const State& x, bool moving);
  /// Those of them that are wanted, in the order of field_names().
  std::vector<io::FrameWriter::PointField> of_points(const std::vector<std::string>& wanted) const;
  std::vector<io::FrameWriter::PointField> of_points() const { return of_points(names_); }
  std::vector<io::FrameWriter::CellField> of_cells(const std::vector<std::string>& wanted) const;
  /// Of all ranks, at the last update(); nullopt without stresses.
  std::optional<StressPeak> peak() const;

  /// One row of the table of fields: all that is known of a field.
  struct Kind;

 private:
  void find_peak();
  void add_base_acceleration();

  const solid::Body& body_;
  std::vector<std::string> names_;
  solid::NodePlaces plain_;
  std::optional<solid::StressRecovery> recovery_;
  bool stress_ = false;  // whether stresses are among what is recovered
  State state_;
  petsc::Handle<Vec> absolute_;                           // accelerations, where the base is shaken
  std::vector<double> von_mises_, principal_, pressure_;  // [place][components]
  std::vector<int> regions_;                              // [cell]
  std::vector<double> quality_;                           // [cell]
  std::optional<StressPeak> peak_;
};

}  // namespace gearshift::app
