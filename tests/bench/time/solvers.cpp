#include "solvers.hpp"

#include <gearshift/petsc/error.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace bench {
namespace {

#define TUNED " -snes_rtol 1e-3 -ksp_rtol 1e-2"
constexpr std::array table{
    Solver{"gear", "gear", "-gear_adapt order", "gearshift: step and order, the method by choice"},
    Solver{"gear_bdf", "gear", "-gear_adapt order -gear_family bdf", "gearshift: BDF 1-5, guarded"},
    Solver{"gear_unguarded", "gear", "-gear_adapt order -gear_family bdf -gear_guard false",
           "gearshift: BDF 1-5 without the order guard"},
    Solver{"gear_esdirk", "gear", "-gear_adapt step -gear_family esdirk", "gearshift: ESDIRK5"},
    Solver{"gear2", "gear", "-gear_adapt step -gear_order 2", "gearshift: BDF2"},
    Solver{"gear_ndf2", "gear", "-gear_adapt step -gear_family ndf2", "gearshift: NDF2"},
    Solver{"gear_sdirk", "gear", "-gear_adapt step -gear_family sdirk", "gearshift: SDIRK"},
    Solver{"gear_fixed", "gear", "-gear_adapt none -gear_order 2", "gearshift: BDF2 with -steps equal steps"},
    Solver{"cvode", "cvode", "", "CVODE: BDF 1-5"},
    Solver{"cvode2", "cvode", "-maxord 2", "CVODE: BDF 1-2"},
    Solver{"cvode_stald", "cvode", "-stald", "CVODE: BDF 1-5 with its stability limit detection"},
    Solver{"ida", "ida", "", "IDA: BDF 1-5"},
    Solver{"dirk3", "dirk", "-dirk_order 3", "ARKODE: DIRK of order 3"},
    Solver{"dirk4", "dirk", "-dirk_order 4", "ARKODE: DIRK of order 4"},
    Solver{"tsbdf2", "ts1", "-ts_type bdf -ts_bdf_order 2", "PETSc TSBDF of order 2"},
    Solver{"tsbdf3", "ts1", "-ts_type bdf -ts_bdf_order 3", "PETSc TSBDF of order 3"},
    Solver{"tsbdf4", "ts1", "-ts_type bdf -ts_bdf_order 4", "PETSc TSBDF of order 4"},
    Solver{"tsbdf5", "ts1", "-ts_type bdf -ts_bdf_order 5", "PETSc TSBDF of order 5"},
    Solver{"alpha2", "ts2", "-ts_type alpha2 -ts_adapt_type basic", "PETSc TSALPHA2, spectral radius 1"},
    Solver{"tsbdf2_tuned", "ts1", "-ts_type bdf -ts_bdf_order 2" TUNED, "the same with -snes_rtol 1e-3 -ksp_rtol 1e-2"},
    Solver{"tsbdf3_tuned", "ts1", "-ts_type bdf -ts_bdf_order 3" TUNED, "the same"},
    Solver{"tsbdf4_tuned", "ts1", "-ts_type bdf -ts_bdf_order 4" TUNED, "the same"},
    Solver{"tsbdf5_tuned", "ts1", "-ts_type bdf -ts_bdf_order 5" TUNED, "the same"},
    Solver{"alpha2_tuned", "ts2", "-ts_type alpha2 -ts_adapt_type basic" TUNED, "the same"},
    Solver{"ida_tuned", "ida", "-rebuild_change 0.1 -nonlin_coef 0.1",
           "IDA: preconditioner and Newton's test as CVODE's"},
    Solver{"dirk3_tuned", "dirk", "-dirk_order 3 -predictor 1 -deduce", "DIRK3: extrapolated stages, rates deduced"},
    Solver{"dirk4_tuned", "dirk", "-dirk_order 4 -predictor 1 -deduce", "DIRK4: the same"},
    Solver{"two_n", "two_n", "", "our BDF2 with -steps equal steps on [q; v], assembled with q and v interleaved"},
    Solver{"erk8", "erk", "", "ARKODE: explicit of order 8, for references"},
};
#undef TUNED

}  // namespace

std::span<const Solver> solvers() { return table; }

const Solver& find_solver(const char* name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Solver& solver) { return std::string_view(solver.name) == name; });
  if (found == table.end())
    throw gearshift::OptionError(std::string("no solver is called '") + name + "'; -list shows all");
  return *found;
}

}  // namespace bench
