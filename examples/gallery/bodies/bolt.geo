// Half (y >= 0) of a bolt with a head in the hole of a plate, in mm. The axis of the bolt is the z axis, the plate lies between
// z = 0 and z = T, the head on its upper side.
//   gmsh -3 bolt.geo -order 2 -format msh41 -o bolt.msh
SetFactory("OpenCASCADE");  // it does not merge the faces that touch
DefineConstant[
  r = {5, Name "radius of the shaft"}, clearance = {0.1, Name "clearance of the hole"}, T = {8, Name "thickness of the plate"},
  W = {15, Name "half of the width of the plate"}, end = {8, Name "length of the shaft below the plate"},
  head = {8.5, Name "radius of the head"}, H = {5, Name "height of the head"},
  h = {2.2, Name "size of the cells at the hole"}, h2 = {6, Name "size of the other cells"}
];
far = 10 * W;
e = 1e-4;
Box(1) = {-W, 0, 0, 2 * W, W, T};
Cylinder(2) = {0, 0, -1, 0, 0, T + 2, r + clearance};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Cylinder(4) = {0, 0, -end, 0, 0, T + end, r};
Cylinder(5) = {0, 0, T, 0, 0, H, head};
BooleanUnion(6) = { Volume{4}; Delete; }{ Volume{5}; Delete; };
Box(7) = {-far, 0, -far, 2 * far, far, 2 * far};
BooleanIntersection(8) = { Volume{6}; Delete; }{ Volume{7}; Delete; };
plate() = Boundary{ Volume{3}; };
bolt() = Boundary{ Volume{8}; };
hole() = {}; top() = {}; sides() = {}; shaft() = {}; below() = {}; tip() = {}; middle() = {};
For i In {0:#plate()-1}
  box() = BoundingBox Surface{plate(i)};
  If (box(4) < e)
    middle() += {plate(i)};
  ElseIf (box(0) > -r - 2 * clearance && box(3) < r + 2 * clearance)
    hole() += {plate(i)};
  ElseIf (box(2) > T - e)
    top() += {plate(i)};
  ElseIf (box(0) > W - e || box(3) < -W + e)
    sides() += {plate(i)};
  EndIf
EndFor
For i In {0:#bolt()-1}
  box() = BoundingBox Surface{bolt(i)};
  If (box(4) < e)
    middle() += {bolt(i)};
  ElseIf (box(5) < -end + e)
    tip() += {bolt(i)};
  ElseIf (box(3) < r + e && box(5) < T + e)
    shaft() += {bolt(i)};
  ElseIf (box(5) < T + e)
    below() += {bolt(i)};
  EndIf
EndFor
Field[1] = Distance;
Field[1].SurfacesList = {hole(), shaft(), below()};
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = h;
Field[2].SizeMax = h2;
Field[2].DistMin = 1;
Field[2].DistMax = 6;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Mesh.HighOrderOptimize = 1;
Physical Volume("plate", 101) = {3};
Physical Volume("bolt", 102) = {8};
Physical Surface("hole", 103) = {hole()};
Physical Surface("plate_top", 104) = {top()};
Physical Surface("sides", 105) = {sides()};
Physical Surface("shaft", 106) = {shaft()};
Physical Surface("head", 107) = {below()};
Physical Surface("tip", 108) = {tip()};
Physical Surface("middle", 109) = {middle()};
