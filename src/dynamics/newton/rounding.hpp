#pragma once

#include "dynamics/equations/guarded_system.hpp"
#include "dynamics/equations/motion_map.hpp"

namespace gearshift {

/// Returns true if R at x does not exceed the rounding of its terms over the free entries. The rounding is taken as a
/// few times the change of R when every entry of q, v and a moves up or down by a few units in the last place of the
/// terms it is the sum of. Costs two residuals; r and moved are work vectors. Afterwards `motion` holds the state of x.
bool residual_is_rounding(GuardedSystem& system, MotionMap& motion, Vec x, Vec r, Vec moved);

/// Returns true if R around x is noise along Newton's last step y: rounding that does not vary smoothly with the state,
/// for example of strains computed from 1 + grad u. For noise the second differences of R,
///
///     D(c, w) = R(x + (c - w) y) - 2 R(x + c y) + R(x + (c + w) y),
///
/// are, for a width w of 1, 8 or 64, as large as R itself about two centres, 0 and one of 3 w, -3 w, 6 w and -6 w, and
/// about both no larger if the width is eight times as large. There the differences of a smooth R grow by a factor of
/// 64, those of a kink by 8, and a jump is met about only one of the centres. (After J.J. More, S.M. Wild, Estimating
/// computational noise, SIAM J. Sci. Comput. 33, 2011.) Over a long distance a bounded R looks like noise, too.
/// Therefore no point is further from x than `reach` y, and `reach` must be tiny. Costs up to 97 residuals, and fewer
/// if R is smooth over 1/128 of the step; r, point and sum are work vectors. Afterwards `motion` holds the state of x.
bool residual_is_noise(GuardedSystem& system, MotionMap& motion, Vec x, Vec y, PetscReal reach, Vec r, Vec point,
                       Vec sum);

}  // namespace gearshift
