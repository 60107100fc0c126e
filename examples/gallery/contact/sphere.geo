// A quarter of a sphere, or of its lower half, that rests on the plane z = 0, with fine cells near the pole at the
// origin, in mm.
//   gmsh -3 sphere.geo -order 2 -format msh41 -o sphere.msh
SetFactory("OpenCASCADE");
DefineConstant[
  R = {10, Name "radius"}, height = {20, Name "height of the part"}, h = {0.06, Name "size of the cells at the pole"},
  fine = {0.65, Name "radius of the part with small cells"}, H = {2.5, Name "size of the largest cells"}
];
Sphere(1) = {0, 0, R, R};
Box(2) = {0, 0, -1, 2 * R, 2 * R, 1 + height};
BooleanIntersection(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Point(1000) = {0, 0, 0};
Field[1] = Distance;
Field[1].PointsList = {1000};
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = h;
Field[2].SizeMax = H;
Field[2].DistMin = fine;
Field[2].DistMax = 0.9 * R;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
e = 1e-6;
far = 2 * R + e;
plane_x() = Surface In BoundingBox{-e, -e, -e, e, far, far};
plane_y() = Surface In BoundingBox{-e, -e, -e, far, e, far};
top() = Surface In BoundingBox{-e, -e, height - e, far, far, height + e};
skin() = Boundary{ Volume{3}; };
skin() -= plane_x();
skin() -= plane_y();
skin() -= top();
Physical Volume("sphere", 1) = {3};
Physical Surface("plane_x", 2) = {plane_x()};
Physical Surface("plane_y", 3) = {plane_y()};
Physical Surface("skin", 4) = {skin()};
If (height < 2 * R)
  Physical Surface("top", 5) = {top()};
EndIf
