#pragma once

/// @file
/// The state of an integration as a list of named parts, to be kept in memory, written to a file or compared.

#include <gearshift/petsc/error.hpp>

#include <petscvec.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gearshift {

/// A visitor of state. A class with state names each part of it once:
///
/// ```cpp
/// void Thermostat::archive(Archive& state) {
///   const Archive::Group group(state, "thermostat");
///   state("set_point", set_point_);         // numbers: equal on every rank, stored bit for bit
///   state("history", history_);             // std::vector: its length is part of the state
///   state.vec("temperature", field_.get());  // distributed
/// }
/// ```
///
/// This function is used to take a snapshot, to restore one, and to write and read a file. It must visit the parts in
/// the same order each time. Collective: every rank visits the same parts.
class GEARSHIFT_EXPORT Archive {
 public:
  virtual ~Archive() = default;

  /// Returns true if the parts visited are overwritten (restore, load), false if they are only read (snapshot, save).
  virtual bool loading() const = 0;

  /// Visits numbers that are equal on every rank.
  virtual void reals(std::string_view name, std::span<PetscReal> values) = 0;
  virtual void integers(std::string_view name, std::span<std::int64_t> values) = 0;
  /// Visits a distributed vector with the layout of the stepper.
  virtual void vec(std::string_view name, Vec x) = 0;
  /// Visits a distributed vector with the layout SystemInternalVariables::internal_layout(). Default: calls local().
  virtual void internal(std::string_view name, Vec z);
  /// Visits numbers that belong to this rank, such as histories at its quadrature points. A file that contains such
  /// numbers can be loaded only on the same partition.
  virtual void local(std::string_view name, std::span<PetscReal> values) = 0;

  void operator()(std::string_view name, PetscReal& value) { reals(name, {&value, 1}); }
  template <class T>
  requires std::integral<T> || std::is_enum_v<T>
  void operator()(std::string_view name, T& value) {
    auto number = static_cast<std::int64_t>(value);
    integers(name, {&number, 1});
    value = static_cast<T>(number);
  }
  template <std::size_t N>
  void operator()(std::string_view name, std::array<PetscReal, N>& values) {
    reals(name, values);
  }
  void operator()(std::string_view name, std::vector<PetscReal>& values) {
    auto size = static_cast<std::int64_t>(values.size());
    integers(std::string(name) + "_size", {&size, 1});
    expect_length(name, size);
    values.resize(static_cast<std::size_t>(size));
    reals(name, values);
  }

  /// Puts "<name>/" before the names of the parts visited during its lifetime.
  class GEARSHIFT_EXPORT Group {
   public:
    Group(Archive& archive, std::string_view name);
    ~Group();
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

   private:
    Archive& archive_;
    std::size_t length_;
  };

 protected:
  /// Throws if `name`, the list to be visited next, cannot have this length. Default: does nothing.
  virtual void expect_length(std::string_view name, std::int64_t length);

  /// Returns the name with the names of the enclosing groups before it: "bdf/history/q_0".
  std::string path(std::string_view name) const { return prefix_ + std::string(name); }

 private:
  std::string prefix_;
};

}  // namespace gearshift
