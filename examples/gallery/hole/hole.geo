// A quarter of a square plate, 8 x 8, with a round hole of radius 1; one cell thick, cells of degree 2, refined at the
// hole.
//   gmsh -3 hole.geo -setnumber n 6 -format msh41 -o hole.msh
DefineConstant[ n = {6, Name "cells along an eighth of the hole"} ];
c = Cos(Pi / 4);
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {4, 0, 0};
Point(4) = {4, 4, 0};
Point(5) = {0, 4, 0};
Point(6) = {0, 1, 0};
Point(7) = {c, c, 0};
Circle(1) = {2, 1, 7};
Circle(2) = {7, 1, 6};
Line(3) = {2, 3};
Line(4) = {3, 4};
Line(5) = {7, 4};
Line(6) = {5, 4};
Line(7) = {6, 5};
Curve Loop(1) = {3, 4, -5, -1};
Plane Surface(1) = {1};
Curve Loop(2) = {5, -6, -7, -2};
Plane Surface(2) = {2};
Transfinite Curve {1, 2, 4, 6} = n + 1;
Transfinite Curve {3, 5, 7} = n + 1 Using Progression 3 ^ (1 / n);
Transfinite Surface {1:2};
Recombine Surface {1:2};
new() = Extrude {0, 0, 0.5} { Surface{1:2}; Layers{1}; Recombine; };
Mesh.ElementOrder = 2;
Physical Volume("plate", 101) = {1:2};
Physical Surface("plane_y", 102) = {new(2)};
Physical Surface("right", 103) = {new(3)};
Physical Surface("hole", 104) = {new(5), new(11)};
Physical Surface("top", 105) = {new(9)};
Physical Surface("plane_x", 106) = {new(10)};
Physical Surface("sides", 107) = {1, 2, new(0), new(6)};
