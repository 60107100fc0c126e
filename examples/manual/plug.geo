// A quarter of a rubber plug for a conical hole, in millimetres: gmsh -3 -order 2 -format msh41 plug.geo -o plug.msh
SetFactory("OpenCASCADE");
Cone(1) = {0, 0, 0, 0, 0, 12, 14, 18, Pi/2};
Physical Surface("wall") = {1};
Physical Surface("top") = {2};
Physical Surface("symmetry") = {4, 5};
Physical Volume("rubber") = {1};
Mesh.MeshSizeMax = 2.5;
