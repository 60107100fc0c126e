#pragma once

/// @file
/// Multigrid over polynomial degrees in double precision, on PETSc's PCMG.

#include "solid/multigrid/multigrid.hpp"

#include <memory>
#include <vector>

namespace gearshift::solid {

/// The highest degree is the tangent itself; degree 1 is assembled as its Galerkin restriction and solved by one cycle
/// of PCGAMG. Everything is tuned by PCMG's keys (`-mg_levels_*`, `-mg_coarse_*`).
class PcmgMultigrid : public Multigrid {
 public:
  /// @param finest a body of degree 2 or higher
  explicit PcmgMultigrid(const FinestLevel& finest);
  ~PcmgMultigrid() override;

  void update(Tangent& tangent, Shifts s, PC pc) override;

 private:
  void configure(PC pc) override;
  bool drives(PC pc) const override;

  struct Finest;
  struct MiddleLevel;
  struct Corners;
  struct Step;
  std::unique_ptr<Finest> finest_;
  std::vector<std::unique_ptr<MiddleLevel>> middle_;  // of degrees below the highest, down to 2
  std::unique_ptr<Corners> corners_;                  // of degree 1
  std::vector<std::unique_ptr<Step>> steps_;          // [i] between the i-th degree from the top and the next lower one
};

}  // namespace gearshift::solid
