// The right half (x >= 0) of a tube of radius R and thickness t around the z axis, one cell long, in mm. The lower quarter has n
// cells along it, the upper one n2.
//   gmsh -3 tube.geo -order 2 -format msh41 -o tube.msh
DefineConstant[
  n = {32, Name "cells along the lower quarter"}, n2 = {28, Name "cells along the upper quarter"}, m = {2, Name "cells across"},
  R = {10, Name "radius"}, t = {1, Name "thickness"}, w = {1, Name "width"}
];
Point(1) = {0, 0, 0};
Point(2) = {0, -R + t, 0}; Point(3) = {0, -R, 0}; Point(4) = {R, 0, 0}; Point(5) = {0, R, 0}; Point(6) = {0, R - t, 0}; Point(7) = {R - t, 0, 0};
Line(1) = {2, 3}; Circle(2) = {3, 1, 4}; Line(3) = {7, 4}; Circle(4) = {2, 1, 7};
Circle(5) = {4, 1, 5}; Line(6) = {6, 5}; Circle(7) = {7, 1, 6};
Transfinite Curve {1, 3, 6} = m + 1;
Transfinite Curve {2, 4} = n + 1;
Transfinite Curve {5, 7} = n2 + 1;
Curve Loop(1) = {1, 2, -3, -4};
Curve Loop(2) = {3, 5, -6, -7};
Plane Surface(1) = {1}; Plane Surface(2) = {2};
Transfinite Surface {1} = {2, 3, 4, 7};
Transfinite Surface {2} = {7, 4, 5, 6};
Recombine Surface {1, 2};
lower() = Extrude {0, 0, w} { Surface{1}; Layers{1}; Recombine; };
upper() = Extrude {0, 0, w} { Surface{2}; Layers{1}; Recombine; };
Physical Volume("tube", 101) = {lower(1), upper(1)};
Physical Surface("middle", 104) = {lower(2), upper(4)};
Physical Surface("outside_lower", 105) = {lower(3)};
Physical Surface("outside_upper", 106) = {upper(3)};
Physical Surface("inside", 107) = {lower(5), upper(5)};
Physical Surface("back", 109) = {1, 2};
Physical Surface("front", 110) = {lower(0), upper(0)};
