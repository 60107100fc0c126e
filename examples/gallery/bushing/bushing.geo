// A rubber bushing between two sleeves: a ring of radii 1 and 2, one cell thick.
//   gmsh -3 -order 2 bushing.geo -setnumber n 3 -format msh41 -o bushing.msh
DefineConstant[ n = {3, Name "cells across the rubber"} ];
Point(1) = {0, 0, 0};
For i In {0:3}
  Point(10 + i) = {Cos(i * Pi / 2), Sin(i * Pi / 2), 0};
  Point(20 + i) = {2 * Cos(i * Pi / 2), 2 * Sin(i * Pi / 2), 0};
EndFor
For i In {0:3}
  j = (i + 1) % 4;
  Circle(10 + i) = {10 + i, 1, 10 + j};
  Circle(20 + i) = {20 + i, 1, 20 + j};
  Line(30 + i) = {10 + i, 20 + i};
EndFor
Transfinite Curve {30:33} = n + 1 Using Progression 1.15;
Transfinite Curve {10:13, 20:23} = n + 1;
inner() = {};
outer() = {};
ends() = {};
volumes() = {};
For i In {0:3}
  j = (i + 1) % 4;
  Curve Loop(40 + i) = {30 + i, 20 + i, -(30 + j), -(10 + i)};
  Plane Surface(40 + i) = {40 + i};
  Transfinite Surface {40 + i};
  Recombine Surface {40 + i};
  new() = Extrude {0, 0, 0.25} { Surface{40 + i}; Layers{1}; Recombine; };
  volumes() += {new(1)};
  ends() += {40 + i, new(0)};
  outer() += {new(3)};
  inner() += {new(5)};
EndFor
Physical Volume("rubber", 101) = {volumes()};
Physical Surface("inner", 102) = {inner()};
Physical Surface("outer", 103) = {outer()};
Physical Surface("ends", 104) = {ends()};
