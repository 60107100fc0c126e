// A cylinder of radius 1 and height 1 in two parts, of tetrahedra. The meshes in this folder:
//   gmsh -3 -order 1 -format msh41 cylinder.geo -o cylinder_t1_v41.msh
//   gmsh -3 -order 2 -format msh41 cylinder.geo -o cylinder_t2_v41.msh
Mesh.MeshSizeMin = 0.9;
Mesh.MeshSizeMax = 0.9;
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {0, 1, 0};
Point(4) = {-1, 0, 0};
Point(5) = {0, -1, 0};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
lower[] = Extrude {0, 0, 0.5} { Surface{1}; };
upper[] = Extrude {0, 0, 0.5} { Surface{lower[0]}; };
Physical Volume("lower", 101) = {lower[1]};
Physical Volume("upper", 102) = {upper[1]};
Physical Surface("bottom", 103) = {1};
Physical Surface("top", 104) = {upper[0]};
Physical Surface("mantle", 105) = {lower[2], lower[3], lower[4], lower[5], upper[2], upper[3], upper[4], upper[5]};
