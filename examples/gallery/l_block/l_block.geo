// An L of three blocks, 3 thick: [0,3] x [0,10] and [3,6] x [0,3].
//   gmsh -3 l_block.geo -setnumber n 3 -format msh41 -o l_block.msh
DefineConstant[ n = {3, Name "cells over 3 units of length, a multiple of 3"} ];
Point(1) = {0, 0, 0};
Point(2) = {3, 0, 0};
Point(3) = {6, 0, 0};
Point(4) = {6, 3, 0};
Point(5) = {3, 3, 0};
Point(6) = {3, 10, 0};
Point(7) = {0, 10, 0};
Point(8) = {0, 3, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {5, 4};
Line(5) = {5, 6};
Line(6) = {7, 6};
Line(7) = {8, 7};
Line(8) = {1, 8};
Line(9) = {2, 5};
Line(10) = {8, 5};
Curve Loop(1) = {1, 9, -10, -8};
Plane Surface(1) = {1};
Curve Loop(2) = {2, 3, -4, -9};
Plane Surface(2) = {2};
Curve Loop(3) = {10, 5, -6, -7};
Plane Surface(3) = {3};
Transfinite Curve {1, 2, 3, 4, 6, 8, 9, 10} = n + 1;
Transfinite Curve {5, 7} = 7 * n / 3 + 1;
Transfinite Surface {1:3};
Recombine Surface {1:3};
Extrude {0, 0, 3} { Surface{1:3}; Layers{n}; Recombine; }
Physical Volume("body", 101) = {1:3};
