// A stack of three blocks of 10 x 10 x 5 mm, with a, b and c cells along their edges and half as many through their height, in mm.
//   gmsh -3 stack.geo -format msh41 -o stack.msh
SetFactory("OpenCASCADE");  // it does not merge the faces that touch
DefineConstant[
  a = {4, Name "cells of the lowest block"}, b = {5, Name "cells of the middle block"}, c = {3, Name "cells of the upper block"},
  L = {10, Name "length of an edge"}, H = {5, Name "height of a block"}
];
cells() = {a, b, c};
plane_x() = {}; plane_y() = {};
For i In {0:2}
  z = i * H;
  p = newp;
  Point(p) = {0, 0, z}; Point(p + 1) = {L, 0, z}; Point(p + 2) = {L, L, z}; Point(p + 3) = {0, L, z};
  q = newc;
  Line(q) = {p, p + 1}; Line(q + 1) = {p + 1, p + 2}; Line(q + 2) = {p + 3, p + 2}; Line(q + 3) = {p, p + 3};
  Transfinite Curve {q, q + 1, q + 2, q + 3} = cells(i) + 1;
  s = news;
  Curve Loop(s) = {q, q + 1, -(q + 2), -(q + 3)};
  Plane Surface(s) = {s};
  Transfinite Surface {s};
  Recombine Surface {s};
  new() = Extrude {0, 0, H} { Surface{s}; Layers{Ceil(cells(i) / 2)}; Recombine; };
  plane_y() += {new(2)}; plane_x() += {new(5)};
  Physical Volume(Sprintf("block%g", i + 1), 101 + i) = {new(1)};
  Physical Surface(Sprintf("bottom%g", i + 1), 111 + i) = {s};
  Physical Surface(Sprintf("top%g", i + 1), 121 + i) = {new(0)};
EndFor
Physical Surface("plane_x", 131) = {plane_x()};
Physical Surface("plane_y", 132) = {plane_y()};
