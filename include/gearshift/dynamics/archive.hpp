#pragma once

/// @file
/// The state of an integration as one list of named parts: kept in memory, written to a file, compared.

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

/// A visitor over state. A class with state names each part of it once:
///
/// ```cpp
/// void Thermostat::archive(Archive& state) {
///   const Archive::Group group(state, "thermostat");
///   state("set_point", set_point_);        // numbers: the same on every rank, kept bit for bit
///   state("history", history_);            // std::vector: its length is part of the state
///   state.vec("temperature", field_.get()); // distributed
/// }
/// ```
///
/// and the same function serves to take a snapshot, to restore one, and to write and read a file. Parts are visited in
/// the same order each time. Collective: every rank visits the same parts.
class GEARSHIFT_EXPORT Archive {
 public:
  virtual ~Archive() = default;

  /// Whether the parts visited are overwritten (restore, load) or only read (snapshot, save).
  virtual bool loading() const = 0;

  /// Numbers that are the same on every rank.
  virtual void reals(std::string_view name, std::span<PetscReal> values) = 0;
  virtual void integers(std::string_view name, std::span<std::int64_t> values) = 0;
  /// A distributed vector of the stepper's layout.
  virtual void vec(std::string_view name, Vec x) = 0;
  /// A distributed vector of SystemInternalVariables::internal_layout(). Default: local().
  virtual void internal(std::string_view name, Vec z);
  /// Numbers of this rank's own, such as histories at its quadrature points. A file that holds any of them can be
  /// loaded on the same partition only.
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

  /// Puts "<name>/" before the names of the parts visited while it lives.
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
  /// Throws where the list `name`, which is visited next, cannot have this length. Default: does nothing.
  virtual void expect_length(std::string_view name, std::int64_t length);

  /// The name with the groups around it: "bdf/history/q_0".
  std::string path(std::string_view name) const { return prefix_ + std::string(name); }

 private:
  std::string prefix_;
};

}  // namespace gearshift
