// Two rings of outer radius 50 and thickness 10, one cell deep, with different cells around them, in mm.
//   gmsh -3 rings.geo -order 2 -format msh41 -o rings.msh
DefineConstant[
  left = {40, Name "cells around the left ring"}, right = {36, Name "cells around the right ring"}, m = {2, Name "cells across"},
  offset = {30, Name "offset of the centres in y"}, gap = {1, Name "gap along x"}, w = {5, Name "depth"}
];
cells() = {left, right};
x() = {0, Sqrt(100^2 - offset^2) + gap};
ends() = {};
For i In {0:1}
  outside() = {}; volumes() = {};
  o = newp; Point(o) = {x(i), i * offset, 0};
  inner() = {}; outer() = {}; across() = {}; arcs_in() = {}; arcs_out() = {};
  For k In {0:3}
    p = newp;
    Point(p) = {x(i) + 40 * Cos(k * Pi / 2), i * offset + 40 * Sin(k * Pi / 2), 0};
    Point(p + 1) = {x(i) + 50 * Cos(k * Pi / 2), i * offset + 50 * Sin(k * Pi / 2), 0};
    inner() += {p}; outer() += {p + 1};
    c = newc;
    Line(c) = {p, p + 1};
    across() += {c};
  EndFor
  For k In {0:3}
    c = newc;
    Circle(c) = {inner(k), o, inner((k + 1) % 4)}; Circle(c + 1) = {outer(k), o, outer((k + 1) % 4)};
    arcs_in() += {c}; arcs_out() += {c + 1};
  EndFor
  Transfinite Curve {across()} = m + 1;
  Transfinite Curve {arcs_in(), arcs_out()} = cells(i) / 4 + 1;
  For k In {0:3}
    s = news;
    Curve Loop(s) = {across(k), arcs_out(k), -across((k + 1) % 4), -arcs_in(k)};
    Plane Surface(s) = {s};
    Transfinite Surface {s} = {inner(k), outer(k), outer((k + 1) % 4), inner((k + 1) % 4)};
    Recombine Surface {s};
    new() = Extrude {0, 0, w} { Surface{s}; Layers{1}; Recombine; };
    outside() += {new(3)}; volumes() += {new(1)}; ends() += {s, new(0)};
  EndFor
  If (i == 0)
    Physical Volume("left", 101) = {volumes()}; Physical Surface("left_outside", 103) = {outside()};
  Else
    Physical Volume("right", 102) = {volumes()}; Physical Surface("right_outside", 104) = {outside()};
  EndIf
EndFor
Physical Surface("ends", 105) = {ends()};
