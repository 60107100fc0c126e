// Cook's membrane, one cell thick: n x n cells, graded towards the clamped and the loaded edge (along) and upwards
// (across).
//   gmsh -3 cook.geo -format msh41 -o cook.msh
//   gmsh -3 cook.geo -setnumber n 16 -setnumber along 1 -setnumber across 1 -format msh41 -o even_16.msh
//   gmsh -3 cook.geo -setnumber n 8 -setnumber along 1 -setnumber across 1 -format msh41 -o even_8.msh
DefineConstant[ n = {12, Name "cells along an edge"} along = {0.02, Name "gmsh's Bump"}
                across = {0.65, Name "from a cell to the next"} ];
Point(1) = {0, 0, 0};
Point(2) = {48, 44, 0};
Point(3) = {48, 60, 0};
Point(4) = {0, 44, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {4, 3};
Line(4) = {1, 4};
Curve Loop(1) = {1, 2, -3, -4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = n + 1 Using Bump along;
Transfinite Curve {2, 4} = n + 1 Using Progression across;
Transfinite Surface {1};
Recombine Surface {1};
new() = Extrude {0, 0, 1} { Surface{1}; Layers{1}; Recombine; };
Physical Volume("body", 101) = {new(1)};
Physical Surface("left", 102) = {new(5)};
Physical Surface("right", 103) = {new(3)};
Physical Surface("sides", 104) = {1, new(0)};
