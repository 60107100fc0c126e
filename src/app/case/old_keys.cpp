#include "app/case/old_keys.hpp"

#include <gearshift/petsc/error.hpp>
#include <gearshift/petsc/options.hpp>

#include <array>
#include <string>
#include <utility>

namespace gearshift::app {
namespace {

/// Pairs of a former name and the present one.
constexpr std::array renamed{std::pair{"-transfer", "-frequency_response"},
                             std::pair{"-transfer_damping", "-frequency_response_damping"}};

}  // namespace

void rename_old_keys(MPI_Comm comm) {
  for (const auto& [former, present] : renamed) {
    if (!petsc::has_option("", former)) continue;
    if (petsc::has_option("", present))
      throw OptionError(std::string("options ") + former + " and " + present +
                        ": the first is the old name of the second; leave it out");
    std::array<char, PETSC_MAX_PATH_LEN> value{};
    petsc::check(PetscOptionsGetString(nullptr, nullptr, former, value.data(), value.size(), nullptr));
    petsc::check(PetscOptionsClearValue(nullptr, former));
    petsc::check(PetscOptionsSetValue(nullptr, present, value.data()));
    petsc::check(PetscFPrintf(comm, PETSC_STDERR, "note: the option %s has been renamed to %s\n", former, present));
  }
}

}  // namespace gearshift::app
