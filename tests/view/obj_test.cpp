/// Wavefront files: read, written, and refused with a reason.
#include "scree/view/obj.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

#include "scree/core/errors.hpp"
#include "scree/view/robot_meshes.hpp"
#include "support/paths.hpp"
#include "view/support.hpp"

namespace scree::view {
namespace {

using ::testing::HasSubstr;

std::filesystem::path write(const Folder& folder, const std::string& name, const std::string& text) {
  const auto path = folder / name;
  std::ofstream(path) << text;
  return path;
}

std::string refusal(const std::filesystem::path& file) {
  std::vector<std::string> warnings;
  try {
    read_obj(file, warnings);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Obj, ReadsFacesMaterialsAndTextures) {
  Folder folder;
  write(folder, "m.mtl",
        "newmtl red\nKd 0.8 0.1 0.2\nNs 30\nPr 0.25\nPm 0.5\nnewmtl glow\nKd 1 1 1\nKe 0.5 0.5 0.5\n");
  const auto file = write(folder, "a.obj",
                          "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nusemtl "
                          "red\nf 1/1 2/2 3/3\nusemtl glow\nf 1 3 4\n");
  std::vector<std::string> warnings;
  const Mesh mesh = read_obj(file, warnings);
  EXPECT_TRUE(warnings.empty());
  ASSERT_EQ(mesh.surfaces.size(), 2u);
  EXPECT_EQ(mesh.triangles(), 2u);
  const Material& red = mesh.surfaces[0].material;
  EXPECT_NEAR(red.color.x(), 0.8, 1e-6);
  EXPECT_NEAR(red.roughness, 0.25, 1e-6);
  EXPECT_NEAR(red.metallic, 0.5, 1e-6);
  EXPECT_NEAR(mesh.surfaces[1].material.glow, 0.5, 1e-6);
  EXPECT_NEAR(mesh.surfaces[0].vertices[2].uv.y(), 1, 1e-6);
  // The file has no normals: the faces' own.
  EXPECT_NEAR(mesh.surfaces[0].vertices[0].n.z(), 1, 1e-6);
}

TEST(Obj, SmoothsGentleEdgesAndKeepsSharpOnes) {
  Folder folder;
  // Two quads that meet at `rise`: a roof.
  const auto roof = [&](double rise) {
    const auto file = write(
        folder, "roof.obj",
        fmt::format("v -1 0 0\nv 0 0 {0}\nv 0 1 {0}\nv -1 1 0\nv 1 0 0\nv 1 1 0\nf 1 2 3 4\nf 2 5 6 3\n",
                    rise));
    std::vector<std::string> warnings;
    return read_obj(file, warnings);
  };
  const auto ridge_normals = [](const Mesh& mesh) {
    std::vector<float> x;
    for (const Vertex& v : mesh.surfaces[0].vertices)
      if (std::abs(v.p.x()) < 1e-6) x.push_back(v.n.x());
    return x;
  };
  for (float x : ridge_normals(roof(0.2))) EXPECT_NEAR(x, 0, 1e-5);  // 22.6 degrees between them: smooth
  for (float x : ridge_normals(roof(1.0)))
    EXPECT_NEAR(std::abs(x), std::sqrt(0.5), 1e-5);  // 90 degrees: sharp
}

TEST(Obj, ComesBackAsItWasWritten) {
  Folder folder;
  for (const NamedMesh& named : project_meshes()) {
    const auto file = folder / "m.obj";
    write_obj(file, named.mesh, named.comment);
    std::vector<std::string> warnings;
    const Mesh back = read_obj(file, warnings);
    EXPECT_TRUE(warnings.empty());
    EXPECT_EQ(back.surfaces.size(), named.mesh.surfaces.size()) << named.file;
    EXPECT_TRUE(back.bounds().size().isApprox(named.mesh.bounds().size(), 1e-4)) << named.file;
    EXPECT_NEAR(back.surfaces[0].material.roughness, named.mesh.surfaces[0].material.roughness, 1e-3);
  }
}

TEST(Obj, MeshesInTheRepositoryAreThoseThatTheProgramMakes) {
  for (const NamedMesh& named : project_meshes()) {
    std::vector<std::string> warnings;
    const Mesh stored = read_obj(std::filesystem::path(source_tree()) / "models" / named.file, warnings);
    EXPECT_TRUE(warnings.empty()) << named.file;
    EXPECT_EQ(stored.triangles(), named.mesh.triangles()) << named.file << ": run scripts/make_meshes";
    EXPECT_TRUE(stored.bounds().low.isApprox(named.mesh.bounds().low, 1e-4)) << named.file;
    EXPECT_TRUE(stored.bounds().high.isApprox(named.mesh.bounds().high, 1e-4)) << named.file;
  }
}

TEST(Obj, RefusesWhatIsMissingOrMalformed) {
  Folder folder;
  EXPECT_THAT(refusal(folder / "none.obj"), HasSubstr("not found"));
  EXPECT_THAT(refusal(write(folder, "empty.obj", "# nothing\n")), HasSubstr("no triangle"));
  EXPECT_THAT(refusal(write(folder, "range.obj", "v 0 0 0\nv 1 0 0\nf 1 2 9\n")), HasSubstr("malformed"));
  EXPECT_THAT(refusal(write(folder, "exponent.obj", "v 0 0 0\nv 1e2147483640 0 0\nv 0 1 0\nf 1 2 3\n")),
              HasSubstr("line 2: an exponent of 10 digits"));
  EXPECT_THAT(refusal(write(folder, "noise.obj", std::string("\0\x7f\x45\x4c\x46 f f f", 12))),
              HasSubstr("malformed"));
}

TEST(Obj, GoesOnWithoutAMissingMaterialFileOrTexture) {
  Folder folder;
  write(folder, "m.mtl", "newmtl a\nKd 0.5 0.5 0.5\nmap_Kd gone.png\n");
  std::vector<std::string> warnings;
  Mesh mesh = read_obj(write(folder, "a.obj", "mtllib m.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
                       warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("gone.png"));
  EXPECT_TRUE(mesh.surfaces[0].material.texture.empty());
  warnings.clear();
  mesh = read_obj(write(folder, "b.obj", "mtllib gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), warnings);
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_EQ(mesh.triangles(), 1u);
}

}  // namespace
}  // namespace scree::view
