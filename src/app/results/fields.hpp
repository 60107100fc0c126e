#pragma once

/// @file
/// The fields of result files.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/io/frame_writer.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/stress_recovery.hpp>

#include "app/results/greatest.hpp"
#include "app/results/units.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gearshift::app {

/// The use of fields. It determines the names that an option accepts: frames accept all fields, probes those that have
/// values between nodes, the envelope those that have a largest value (scalars, vectors by their magnitude, the largest
/// principal stress).
enum class FieldUse { frames, probes, envelope };

/// Returns all names for a use, in the order of Fields::of_points() and of_cells().
std::span<const char* const> field_names(FieldUse use = FieldUse::frames);
/// Returns field_names(use) as one text, separated by commas.
std::string list_of_fields(FieldUse use);

/// Returns the components of a field as columns of a table; empty for fields on cells.
std::vector<std::string> columns_of_field(std::string_view name);

/// The legend of a field in a picture: its full name and its physical quantity.
struct Legend {
  std::string label;
  Quantity quantity = Quantity::none;
};

/// Returns the legend of a field; empty for an unknown name.
Legend legend_of_field(std::string_view name);

/// Throws OptionError for a name that is not valid for this use, with the most similar name or the reason.
void check_field_names(const char* key, FieldUse use, const std::vector<std::string>& names);

/// The largest von Mises stress at a time, over all nodes and over all quadrature points, and the reference position of
/// each; NaN if any value is NaN.
struct StressPeak {
  PetscReal t = 0;  ///< time or load factor, set by Frames
  Place nodes, points;
};

/// Computes the fields of -fields at one state at a time. Every function is collective.
class Fields {
 public:
  Fields(const solid::Body& body, std::vector<std::string> names);

  /// Returns an estimate of the memory for these fields on this rank [bytes]; the body need not be set up. Collective.
  static double memory_estimate(const solid::Body& body, const std::vector<std::string>& names);

  /// Returns true if this field is computed.
  bool has(std::string_view name) const;
  /// Returns the places of the values of fields that may jump between cells.
  const solid::NodePlaces& places() const { return recovery_ ? recovery_->places() : plain_; }

  /// Computes the fields at a state and keeps references to its Vecs. Accelerations are absolute under base excitation.
  /// @param moving false: accelerations are unknown and set to 0, as before the first step and in statics
  void update(const State& x, bool moving);
  /// Returns the wanted fields among those computed, in the order of field_names().
  std::vector<io::FrameWriter::PointField> of_points(const std::vector<std::string>& wanted) const;
  std::vector<io::FrameWriter::PointField> of_points() const { return of_points(names_); }
  std::vector<io::FrameWriter::CellField> of_cells(const std::vector<std::string>& wanted) const;
  /// Returns the largest stress over all ranks at the last update(); nullopt if no stresses are computed.
  std::optional<StressPeak> peak() const;

  /// One row of the table of fields: the properties of one field.
  struct Kind;

 private:
  void find_peak();
  void find_contacts();
  void add_base_acceleration();

  /// Numbers derived from the stress, [place][components].
  struct Stresses {
    std::vector<double> von_mises, principal, pressure;
  };
  /// Results of Body::contact_fields(), [place].
  struct Contacts {
    std::vector<double> pressure, gap, slip;
  };

  const solid::Body& body_;
  std::vector<std::string> names_;
  solid::NodePlaces plain_;
  std::optional<solid::StressRecovery> recovery_;
  bool stress_ = false;  // stresses are recovered
  State state_;
  petsc::Handle<Vec> absolute_;  // absolute accelerations under base excitation
  Stresses stresses_;
  Contacts contacts_;
  std::vector<int> regions_;     // [cell]
  std::vector<double> quality_;  // [cell]
  std::optional<StressPeak> peak_;
};

}  // namespace gearshift::app
