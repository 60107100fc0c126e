// An eighth of a ball of radius R around the origin, and a quarter of the upper one of two plates that touch it, in mm. The
// cells are small near the pole (0, 0, R). The planes x = 0, y = 0 and z = 0 are planes of symmetry.
//   gmsh -3 ball.geo -order 2 -format msh41 -o ball.msh
SetFactory("OpenCASCADE");
DefineConstant[
  R = {50, Name "radius"}, W = {40, Name "width and height of the quarter of the plate"}, h = {1.8, Name "size of the cells at the pole"},
  fine = {6, Name "radius of the part with small cells"},
  H = {16, Name "size of the largest cells"}
];
Sphere(1) = {0, 0, 0, R};
Box(2) = {0, 0, 0, 2 * R, 2 * R, 2 * R};
BooleanIntersection(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Box(4) = {0, 0, R, W, W, W};
Point(1000) = {0, 0, R};
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
far = 3 * R;
plane_x() = Surface In BoundingBox{-e, -e, -e, e, far, far};
plane_y() = Surface In BoundingBox{-e, -e, -e, far, e, far};
plane_z() = Surface In BoundingBox{-e, -e, -e, far, far, e};
bottom() = Surface In BoundingBox{-e, -e, R - e, far, far, R + e};
top() = Surface In BoundingBox{-e, -e, R + W - e, far, far, R + W + e};
skin() = Boundary{ Volume{3}; };
skin() -= plane_x();
skin() -= plane_y();
skin() -= plane_z();
Physical Volume("ball", 101) = {3};
Physical Volume("plate", 102) = {4};
Physical Surface("ball_skin", 103) = {skin()};
Physical Surface("plate_bottom", 104) = {bottom()};
Physical Surface("plate_top", 105) = {top()};
Physical Surface("plane_x", 106) = {plane_x()};
Physical Surface("plane_y", 107) = {plane_y()};
Physical Surface("plane_z", 108) = {plane_z()};
