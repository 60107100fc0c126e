solve bodies_stack gallery/bodies/stack.yaml
row "[bodies](bodies): a stack of blocks" "stress in the middle block [MPa]" -1 "exact" 1e-6 "$(value "$run/probe_middle.csv" cauchy_zz)" \
  "112 cells, degree 2" "static, 1 load step"
solve bodies_fit gallery/bodies/fit.yaml
row "bodies: a press fit" "u_x of the inner bore [mm]" -0.0118852 "ordinary differential equation" 5e-3 "$(value "$run/probe_bore.csv" ux)" \
  "108 cells, degree 2" "static, 1 load step"
row "" "u_x of the outer ring's outside [mm]" 0.0070993 "the same" 5e-3 "$(value "$run/probe_outside.csv" ux)" \
  "108 cells, degree 2" "static, 1 load step"
solve bodies_push gallery/bodies/push.yaml
row "bodies: a ring is pushed out of a press fit" "force on a quarter [N]" 322.5 "mu p A with Lamé's p" 5e-3 \
  "$(value "$run/forces.csv" inner_ends_fz)" "108 cells, degree 2" "static, 10 load steps"
solve bodies_tube gallery/bodies/tube.yaml
row "bodies: a crushed tube" "force at 14 mm of 18.2 [N]" 0.29763 "CalculiX 2.20, interpolated" 1e-3 \
  "$(value "$run/forces.csv" base_fy 0.76923076923076927)" "120 cells, degree 2" "static, 91 load steps"
solve bodies_bolt gallery/bodies/bolt.yaml
row "bodies: a bolt in a hole" "transverse force [N]" 22874.9 "CalculiX 2.20, same mesh" 1e-2 \
  "$(value "$run/forces.csv" tip_fx)" "1009 cells, degree 2" "static, 10 load steps"
solve bodies_ball gallery/bodies/ball.yaml
row "bodies: a ball between plates" "force on a quarter [N]" 17610.3 "CalculiX 2.20, finer mesh" 1e-2 \
  "$(value "$run/forces.csv" plane_z_fz)" "1435 cells, degree 2" "static, 2 load steps"
solve bodies_rings gallery/bodies/rings.yaml
row "bodies: two rings collide" "kinetic energy at the end [mJ]" 12.373 "half the cell size, rtol 1e-4" 2e-2 \
  "$(value "$run/energy.csv" kinetic)" "152 cells, degree 2" "82 steps"
