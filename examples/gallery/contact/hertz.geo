// A quarter of a block whose n cells along each direction grow by the factor p away from the pole at the origin, in mm.
//   gmsh -3 hertz.geo -format msh41 -o hertz.msh
DefineConstant[ n = {10, Name "cells along an edge"}, p = {1.35, Name "ratio of neighbouring cells"} ];
L = 30;
Point(1) = {0, 0, 0};
Point(2) = {L, 0, 0};
Point(3) = {L, L, 0};
Point(4) = {0, L, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 3};
Line(4) = {1, 4};
Transfinite Curve {1, 2, 3, 4} = n + 1 Using Progression p;
Curve Loop(1) = {1, 2, -3, -4};
Plane Surface(1) = {1};
Transfinite Surface {1};
Recombine Surface {1};
cells() = {};
depth() = {};
For i In {1:n}
  cells() += {1};
  depth() += {(p^i - 1) / (p^n - 1)};
EndFor
new() = Extrude {0, 0, -L} { Surface{1}; Layers{cells(), depth()}; Recombine; };
Physical Volume("block", 101) = {new(1)};
Physical Surface("top", 102) = {1};
Physical Surface("bottom", 103) = {new(0)};
Physical Surface("plane_y", 104) = {new(2)};
Physical Surface("plane_x", 105) = {new(5)};
