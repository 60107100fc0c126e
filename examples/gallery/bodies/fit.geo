// A quarter of two rings, one cell thick: an inner one of radii 10 and 20 mm and an outer one of radii 20 - delta and 30 mm,
// with different cells along them, in mm.
//   gmsh -3 fit.geo -order 2 -format msh41 -o fit.msh
DefineConstant[
  inner = {16, Name "cells along the inner ring"}, outer = {11, Name "cells along the outer ring"},
  m = {4, Name "cells across a ring"}, delta = {0.02, Name "interference"}, w = {2, Name "width"}
];
Point(1) = {0, 0, 0};
radii() = {10, 20, 20 - delta, 30};
cells() = {inner, outer};
plane_x() = {}; plane_y() = {};
For i In {0:1}
  p = newp;
  Point(p) = {radii(2 * i), 0, 0}; Point(p + 1) = {radii(2 * i + 1), 0, 0};
  Point(p + 2) = {0, radii(2 * i + 1), 0}; Point(p + 3) = {0, radii(2 * i), 0};
  c = newc;
  Line(c) = {p, p + 1}; Circle(c + 1) = {p + 1, 1, p + 2}; Line(c + 2) = {p + 3, p + 2}; Circle(c + 3) = {p, 1, p + 3};
  Transfinite Curve {c, c + 2} = m + 1;
  Transfinite Curve {c + 1, c + 3} = cells(i) + 1;
  s = news;
  Curve Loop(s) = {c, c + 1, -(c + 2), -(c + 3)};
  Plane Surface(s) = {s};
  Transfinite Surface {s} = {p, p + 1, p + 2, p + 3};
  Recombine Surface {s};
  new() = Extrude {0, 0, w} { Surface{s}; Layers{1}; Recombine; };
  plane_y() += {new(2)}; plane_x() += {new(4)};
  If (i == 0)
    Physical Volume("inner", 101) = {new(1)};
    Physical Surface("inner_outside", 103) = {new(3)};
    Physical Surface("inner_ends", 109) = {s, new(0)};
  Else
    Physical Volume("outer", 102) = {new(1)};
    Physical Surface("outer_bore", 106) = {new(5)};
    Physical Surface("outer_ends", 110) = {s, new(0)};
  EndIf
EndFor
Physical Surface("plane_x", 107) = {plane_x()};
Physical Surface("plane_y", 108) = {plane_y()};
