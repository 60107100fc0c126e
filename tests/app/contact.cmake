# Wrong and surprising uses of contacts, by the box and the functions of CMakeLists.txt.
set(touching ${box} -contact_wall zmin)
set(wall ${touching} -contact_wall_obstacle plane -contact_wall_point 0,0,0 -contact_wall_normal 0,0,1)
set(ball ${touching} -contact_wall_obstacle sphere -contact_wall_center 0,0,-2)
set(folder_of_stl ${CMAKE_CURRENT_BINARY_DIR}/stl)
file(WRITE ${folder_of_stl}/empty.stl "")
file(WRITE ${folder_of_stl}/open.stl "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n")
file(WRITE ${folder_of_stl}/damaged.stl "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 x\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n")

function(gearshift_add_bad_contact name message)
  gearshift_add_bad_input(contact_${name} ARGS ${ARGN} MESSAGE "${message}")
endfunction()
gearshift_add_bad_contact(face "-contact_wall: the mesh has no face 'zmn'.*did you mean 'zmin'" ${wall} -contact_wall zmn)
gearshift_add_bad_contact(no_obstacle "-contact_wall_obstacle: give the obstacle of this contact" ${touching})
gearshift_add_bad_contact(obstacle "-contact_wall_obstacle: 'plan' is unknown; did you mean 'plane'. give plane, sphere" ${wall} -contact_wall_obstacle plan)
gearshift_add_bad_contact(no_point "give -contact_wall_point, too" ${touching} -contact_wall_obstacle plane -contact_wall_normal 0,0,1)
gearshift_add_bad_contact(no_normal "give -contact_wall_normal, too" ${touching} -contact_wall_obstacle plane -contact_wall_point 0,0,1)
gearshift_add_bad_contact(no_radius "give -contact_wall_radius, too" ${ball})
gearshift_add_bad_contact(no_axis "give -contact_wall_axis, too" ${ball} -contact_wall_obstacle cylinder -contact_wall_radius 1)
gearshift_add_bad_contact(no_size "give -contact_wall_size, too" ${ball} -contact_wall_obstacle box)
gearshift_add_bad_contact(no_distance "give -contact_wall_distance, too" ${touching} -contact_wall_obstacle formula)
gearshift_add_bad_contact(zero_normal "the normal of a plane: give a vector that is not zero" ${wall} -contact_wall_normal 0,0,0)
gearshift_add_bad_contact(zero_axis "the axis of a cylinder: give a vector that is not zero" ${ball} -contact_wall_obstacle cylinder
                          -contact_wall_axis 0,0,0 -contact_wall_radius 1)
gearshift_add_bad_contact(zero_radius "the radius of a sphere: give a number above 0" ${ball} -contact_wall_radius 0)
gearshift_add_bad_contact(negative_size "the sides of a box: give a number above 0" ${ball} -contact_wall_obstacle box -contact_wall_size 1,1,-1)
gearshift_add_bad_contact(two_numbers "-contact_wall_normal: give three numbers" ${wall} -contact_wall_normal 0,1)
gearshift_add_bad_contact(nan_normal "-contact_wall_normal: '0,0,nan' is not a list of numbers" ${wall} -contact_wall_normal 0,0,nan)
gearshift_add_bad_contact(infinite_point "the point of a plane: give finite coordinates" ${wall} -contact_wall_point 0,0,inf)
gearshift_add_bad_contact(unused_radius "-contact_wall_radius: an obstacle 'plane' does not have it; leave it out" ${wall} -contact_wall_radius 3)
gearshift_add_bad_contact(unused_distance "-contact_wall_distance: an obstacle 'plane' does not have it" ${wall} -contact_wall_distance z)
gearshift_add_bad_contact(unused_slip_speed "-contact_wall_slip_speed: the contact has no friction" ${wall} -contact_wall_slip_speed 1)
gearshift_add_bad_contact(name_of_face "contact 'zmin': the mesh has a face of this name" ${box} -contact_zmin zmin -contact_zmin_obstacle plane
                          -contact_zmin_point 0,0,0 -contact_zmin_normal 0,0,1)
gearshift_add_bad_contact(key "-contact_wall_frictoin: unknown option. Did you mean -contact_wall_friction" ${wall} -contact_wall_frictoin 0.3)
gearshift_add_bad_contact(name "-contact_wal_friction: there is no contact 'wal'; did you mean 'wall'" ${wall} -contact_wal_friction 0.3)
gearshift_add_bad_contact(no_faces "-contact_wall_obstacle: there is no contact 'wall'; give its faces by -contact_wall" ${box} -contact_wall_obstacle plane)
gearshift_add_bad_contact(missing_stl "the file 'none.stl' cannot be read; give the path of an STL file" ${touching} -contact_wall_obstacle none.stl)
gearshift_add_bad_contact(empty_stl "the file has no triangles: it is not an STL file" ${touching} -contact_wall_obstacle ${folder_of_stl}/empty.stl)
gearshift_add_bad_contact(damaged_stl "STL file is damaged: a vertex needs three numbers" ${touching} -contact_wall_obstacle ${folder_of_stl}/damaged.stl)
gearshift_add_bad_contact(open_stl "the surface is not closed.*each edge must belong to two" ${touching} -contact_wall_obstacle ${folder_of_stl}/open.stl)
set(formula ${touching} -contact_wall_obstacle formula)
gearshift_add_bad_contact(formula "-contact_wall_obstacle: wrong expression, column 4" ${formula} -contact_wall_distance "z+(")
gearshift_add_bad_contact(nan_formula "contact 'wall': the distance from the obstacle is not finite at .*if its formula cannot be evaluated there" ${formula}
                          -contact_wall_distance "sqrt(z-3)")
gearshift_add_bad_contact(motion "-contact_wall_motion: component z of \"0,0,t\\+\": wrong expression" ${wall} -contact_wall_motion "0,0,t+")
gearshift_add_bad_contact(motion_of_two "-contact_wall_motion: expected three components" ${wall} -contact_wall_motion "0,t")
gearshift_add_bad_contact(motion_with_place "contact 'wall': the motion of the obstacle contains x, y or z" ${wall} -contact_wall_motion "0,0,x")
gearshift_add_bad_contact(nan_motion "contact 'wall': the motion of the obstacle is not finite: .* at t = 0" ${wall} -contact_wall_motion "0,0,sqrt(t-3)")
foreach(motion motion rotation)
  gearshift_add_bad_contact(nan_${motion}_later "contact 'wall': the ${motion} of the obstacle is not finite: .* at t = 0[.]02" ${wall}
                            -contact_wall_${motion} "0,0,0.1*sqrt(0.015-t)")
endforeach()
gearshift_add_bad_contact(nan_rotation_static "contact 'wall': the rotation of the obstacle is not finite: .* at t = 0" ${wall} -static
                          -contact_wall_rotation "0,0,sqrt(t-1)")
gearshift_add_bad_contact(friction_of_modes "-contact_wall_friction: natural modes need a symmetric tangent" ${wall} -modes 2
                          -contact_wall_friction 0.3)
gearshift_add_bad_contact(static_viscosity "-contact_wall_viscosity: a static solution has no velocities" ${wall} -static
                          -contact_wall_viscosity 0.3)
gearshift_add_bad_contact(static_slip_speed "-contact_wall_slip_speed: a static solution has no velocities" ${wall} -static
                          -contact_wall_friction 0.3 -contact_wall_slip_speed 0.1)
gearshift_add_bad_contact(negative_friction "contact 'wall': give a coefficient of friction of 0 or more" ${wall} -contact_wall_friction -0.3)
gearshift_add_bad_contact(zero_slip_speed "contact 'wall': give a slip speed above 0" ${wall} -contact_wall_friction 0.3 -contact_wall_slip_speed 0)
gearshift_add_bad_contact(no_slip_speed "contact 'wall': no load gives a speed.*give the slip speed" ${wall} -gravity 0,0,0 -contact_wall_friction 0.3)
gearshift_add_bad_contact(zero_stiffness "contact 'wall': give a stiffness above 0" ${wall} -contact_wall_stiffness 0)
gearshift_add_bad_contact(negative_viscosity "contact 'wall': give a viscosity of 0 or more" ${wall} -contact_wall_viscosity -1)
gearshift_add_bad_contact(overlap "-contact_wall_overlap: 'removed' is unknown; did you mean 'remove'" ${wall} -contact_wall_overlap removed)
set(pair ${touching} -contact_wall_with zmax)
gearshift_add_bad_contact(with_face "-contact_wall_with: the mesh has no face 'zmx'.*did you mean 'zmax'" ${touching} -contact_wall_with zmx)
gearshift_add_bad_contact(with_obstacle "-contact_wall_obstacle: a contact between faces of the mesh does not have it; leave it out" ${pair}
                          -contact_wall_obstacle plane)
gearshift_add_bad_contact(with_motion "-contact_wall_motion: a contact between faces of the mesh does not have it" ${pair}
                          -contact_wall_motion t,0,0)
gearshift_add_bad_contact(field "-fields: 'contact_pressure' is a field of contacts, and there is none" ${box} -fields contact_pressure)
set(unheld -dm_plex_box_faces 2,1,1 -E 1e6 -nu 0.3 -rho 1000 -gravity 0,0,-1 -static -contact_wall zmin -contact_wall_obstacle plane
    -contact_wall_point 0,0,-0.1 -contact_wall_normal 0,0,1)

# What is not wrong, but not expected: exit code 0, and a line that says it.
function(gearshift_add_note_on_contact name message)
  gearshift_add_mpi_run(NAME app.contact.${name}.2 RANKS 2 PASS "${message}"
    COMMAND $<TARGET_FILE:gearshift-solid> ${ARGN} -output ${CMAKE_CURRENT_BINARY_DIR}/contact_${name})
endfunction()
gearshift_add_note_on_contact(unheld "note: apart from contacts nothing holds the body.*support the other directions" ${unheld})
gearshift_add_note_on_contact(held "contact wall: greatest pressure .*done" ${unheld} -fix_x xmin -fix_y ymin)
# Friction holds a block on its floor in a static solution: the note and the force of the floor, within the angle of friction.
gearshift_add_note_on_contact(rests_by_friction "note: apart from contacts.*up to the limit of friction.*contact floor: greatest pressure 20[0-9.]+, greatest penetration 0.00019;.*done"
  -dm_plex_box_faces 6,4,4 -degree 2 -dm_plex_box_upper 2,1,1 -E 1e6 -nu 0.3 -rho 1000 -gravity 2,0,-10 -static -contact_floor zmin
  -contact_floor_obstacle plane -contact_floor_point 0,0,0 -contact_floor_normal 0,0,1 -contact_floor_friction 0.3)
# A body that first has to come to the floor: its way there is not extrapolated to the later load steps.
gearshift_add_note_on_contact(from_afar "done: t = 0, 3 steps, 0 rejected, [0-9]+ Newton, [1-9][0-9][0-9] Krylov"
  -dm_plex_box_faces 3,2,2 -degree 2 -dm_plex_box_upper 2,1,1 -E 1e6 -nu 0.3 -rho 1000 -gravity 2,0,-10 -static -load_steps 3
  -contact_floor zmin -contact_floor_obstacle plane -contact_floor_point 0,0,-0.5 -contact_floor_normal 0,0,1 -contact_floor_friction 0.3)
gearshift_add_note_on_contact(untouched "contact wall: the body did not touch the obstacle; the smallest gap at the end is 4.99" ${wall}
                              -contact_wall_point 0,0,-5)
gearshift_add_note_on_contact(untouched_faces "contact wall: the faces did not touch, and none are near each other" ${pair})
gearshift_add_note_on_contact(overlapping "warning: contact 'wall': the body at the start overlaps the obstacle by up to 0.1,.*give -contact_wall_overlap remove"
                              ${wall} -contact_wall_point 0,0,0.1)
gearshift_add_note_on_contact(deep "warning: contact 'wall': the penetration is .* of the distance of nodes under its faces; a finer mesh on its faces or a larger -contact_wall_stiffness"
                              ${wall} -contact_wall_point 0,0,1.8 -contact_wall_stiffness 0.001)
# A floor that rises touches a body at rest: tolerances that follow the motion know how far it will press. Viscosity makes the
# force jump.
foreach(how "-contact_wall_viscosity 1" "-contact_wall_stiffness 3" "-contact_wall_friction 0.5")
  string(REGEX MATCH "[a-z]+ " name "${how}")
  string(STRIP "${name}" name)
  string(REPLACE " " ";" how "${how}")
  gearshift_add_note_on_contact(touched_at_rest_${name} "contact wall: greatest pressure .*done: t = 0.5"
    -dm_plex_box_faces 3,1,1 -dm_plex_box_upper 3,1,1 -E 1e4 -nu 0.3 -rho 10 -clamp xmin -contact_wall zmin -contact_wall_obstacle plane
    -contact_wall_point 0,0,-0.02 -contact_wall_normal 0,0,1 -contact_wall_motion "0.1*t,0,0.2*ramp(2*t)" ${how} -gear_t_end 0.5)
endforeach()
# A block is pressed on a floor that then moves sideways: mu N = 1147.5 when it slides, in any number of load steps.
foreach(steps 10 30 60)
  gearshift_add_note_on_contact(static_slide_${steps} "support of zmax: force .-1147[.][45].*done: t = 2, ${steps} steps, 0 rejected"
    -dm_plex_box_faces 4,4,1 -dm_plex_box_lower -1,-1,0 -dm_plex_box_upper 1,1,1 -E 1e5 -nu 0 -rho 1 -clamp zmax -contact_w zmin
         -contact_w_obstacle plane -contact_w_point 0,0,0 -contact_w_normal 0,0,1 -contact_w_friction 0.3
         -contact_w_motion "0.05*max(0,t-1),0,0.01*min(t,1)" -static -load_until 2 -load_steps ${steps})
endforeach()
if(SLEPC_FOUND)
  gearshift_add_note_on_contact(modes "note: natural modes are small vibrations: in -modes what touches stays in contact" ${wall} -modes 2)
endif()
