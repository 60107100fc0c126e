#pragma once

/// @file
/// Multigrid over polynomial degrees in double precision, on PETSc's PCMG.

#include "solid/multigrid/multigrid.hpp"

#include <memory>
#include <vector>

namespace gearshift::solid {

/// Degree 1 is assembled as the Galerkin restriction of the level above it and solved by one cycle of PCGAMG; transfers
/// are assembled as well. Everything is tuned by PCMG's keys (`-mg_levels_*`, `-mg_coarse_*`).
class PcmgMultigrid : public Multigrid {
 public:
  explicit PcmgMultigrid(const FinestLevel& finest);
  ~PcmgMultigrid() override;

  void update(Tangent& tangent, Shifts s, PC pc) override;

 private:
  void configure(PC pc) override;
  bool drives(PC pc) const override;

  struct Level;
  struct Transfer;
  std::vector<std::unique_ptr<Level>> levels_;        // finest first; the last has degree 1
  std::vector<std::unique_ptr<Transfer>> transfers_;  // [i] between levels i + 1 and i
};

}  // namespace gearshift::solid
