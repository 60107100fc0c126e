// A quarter of a ring of radii 15 and 20 mm, one cell thick, whose n cells along it are shorter near the plate, in mm.
//   gmsh -3 ring.geo -order 2 -setnumber Mesh.SecondOrderIncomplete 1 -format msh41 -o ring.msh
DefineConstant[ n = {48, Name "cells along the quarter"}, m = {3, Name "cells across"} ];
Point(1) = {0, 0, 0};
Point(2) = {0, -15, 0}; Point(3) = {0, -20, 0}; Point(4) = {20, 0, 0}; Point(5) = {15, 0, 0};
Line(1) = {2, 3}; Circle(2) = {3, 1, 4}; Line(3) = {5, 4}; Circle(4) = {2, 1, 5};
Transfinite Curve {1, 3} = m + 1;
Transfinite Curve {2, 4} = n + 1 Using Progression 1.04;
Curve Loop(1) = {1, 2, -3, -4};
Plane Surface(1) = {1};
Transfinite Surface {1} = {2, 3, 4, 5};
Recombine Surface {1};
new() = Extrude {0, 0, 1} { Surface{1}; Layers{1}; Recombine; };
Physical Volume("ring", 101) = {new(1)};
Physical Surface("back", 102) = {1};
Physical Surface("front", 103) = {new(0)};
Physical Surface("middle", 104) = {new(2)};
Physical Surface("outside", 105) = {new(3)};
Physical Surface("top", 106) = {new(4)};
