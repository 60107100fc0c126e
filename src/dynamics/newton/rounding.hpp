#pragma once

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/equations/motion_map.hpp"

namespace gearshift {

/// Whether R at x is no more than the rounding of its terms over the free entries: than a few times what becomes of it
/// when every entry of q, v and a moves by a few units in the last place of the terms that it is the sum of, up or down.
/// Two residuals; r and moved are work vectors. The state of x is `motion`'s afterwards.
bool residual_is_rounding(GuardedSystem& system, MotionMap& motion, Vec x, Vec r, Vec moved);

}  // namespace gearshift
