#pragma once

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/equations/motion_map.hpp"

namespace gearshift {

/// Whether R at x is no more than the rounding of its terms over the free entries: than a few times what becomes of it
/// when every entry of q, v and a moves by a few units in the last place of the terms that it is the sum of, up or down.
/// Two residuals; r and moved are work vectors. The state of x is `motion`'s afterwards.
bool residual_is_rounding(GuardedSystem& system, MotionMap& motion, Vec x, Vec r, Vec moved);

/// Whether R around x is noise, along Newton's last step y: rounding that does not follow the state, as that of strains
/// computed from 1 + grad u. Second differences of R,
///
///     D(c, w) = R(x + (c - w) y) - 2 R(x + c y) + R(x + (c + w) y),
///
/// are then, for a width w of 1, 8 or 64, as large as R itself about two centres, 0 and 3 w, and about either no larger
/// over eight times the width; those of a smooth R grow by 64 there, those of a kink by 8, and a jump is met about one of
/// the centres only. (After J.J. More, S.M. Wild, Estimating computational noise, SIAM J. Sci. Comput. 33, 2011.) Over a
/// long way a bounded R looks like noise, too: no point is further from x than `reach` y, which has to be tiny. Up to 37
/// residuals; r, point and sum are work vectors. The state of x is `motion`'s afterwards.
bool residual_is_noise(GuardedSystem& system, MotionMap& motion, Vec x, Vec y, PetscReal reach, Vec r, Vec point,
                       Vec sum);

}  // namespace gearshift
