// Meshes of other programs: the same box as Wavefront, STL and Collada, and files that are none.
#include <gtest/gtest.h>

#include "scree/view/mesh_file.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace scree::view {
namespace {

/// Corners of a wedge of 1 x 2 x 3, four triangles.
const char* const kObj = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
const char* const kStl = R"(solid wedge
facet normal 0 0 -1
outer loop
vertex 0 0 0
vertex 0 2 0
vertex 1 0 0
endloop
endfacet
facet normal 0 -1 0
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 0 3
endloop
endfacet
facet normal 1 1 1
outer loop
vertex 1 0 0
vertex 0 2 0
vertex 0 0 3
endloop
endfacet
facet normal -1 0 0
outer loop
vertex 0 2 0
vertex 0 0 0
vertex 0 0 3
endloop
endfacet
endsolid wedge
)";
const char* const kDae = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">0 0 0 1 0 0 0 2 0 0 0 3</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 1 2 3 2 0 3</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
)";

TEST(MeshFile, TheSameWedgeInThreeKindsOfFile) {
  const testing::TemporaryFolder folder;
  std::vector<std::string> warnings;
  for (const auto& [name, text] :
       {std::pair{"w.obj", kObj}, std::pair{"w.stl", kStl}, std::pair{"w.dae", kDae}}) {
    const Mesh mesh = read_mesh(folder.write(name, text), warnings);
    EXPECT_EQ(mesh.triangles(), 4u) << name;
    EXPECT_LT((mesh.bounds().low - Vec3(0, 0, 0)).norm(), 1e-6) << name;
    EXPECT_LT((mesh.bounds().high - Vec3(1, 2, 3)).norm(), 1e-6) << name << ": z stays up";
  }
}

TEST(MeshFile, WhatIsNoMeshIsRefusedByItsName) {
  const testing::TemporaryFolder folder;
  std::vector<std::string> warnings;
  for (const char* name : {"w.stl", "w.dae", "w.xyz"}) {
    const auto file = folder.write(name, "this is no mesh");
    EXPECT_NE(testing::message_of([&] { read_mesh(file, warnings); }).find(name), std::string::npos);
  }
  EXPECT_NE(testing::message_of([&] { read_mesh(folder.path() / "none.stl", warnings); }).find("none.stl"),
            std::string::npos);
}

}  // namespace
}  // namespace scree::view
