// A quarter of a disc with a bore, of radii 50 and 200 mm, half of its thickness of 4 mm; cells of degree 2.
//   gmsh -3 disc.geo -setnumber n 4 -format msh41 -o disc.msh
DefineConstant[ n = {4, Name "cells along the quarter and along the radius"} ];
a = 0.05;
b = 0.2;
Point(1) = {0, 0, 0};
Point(2) = {a, 0, 0};
Point(3) = {b, 0, 0};
Point(4) = {0, b, 0};
Point(5) = {0, a, 0};
Line(1) = {2, 3};
Circle(2) = {3, 1, 4};
Line(3) = {4, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {2, 4} = n + 1;
Transfinite Curve {1} = n + 1 Using Progression 3 ^ (1 / n);
Transfinite Curve {3} = n + 1 Using Progression 3 ^ (-1 / n);
Transfinite Surface {1};
Recombine Surface {1};
new() = Extrude {0, 0, 0.002} { Surface{1}; Layers{1}; Recombine; };
Mesh.ElementOrder = 2;
Physical Volume("disc", 101) = {1};
Physical Surface("middle", 102) = {1};
Physical Surface("plane_y", 103) = {new(2)};
Physical Surface("plane_x", 104) = {new(4)};
