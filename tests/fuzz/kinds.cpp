#include <fstream>
#include <iterator>

#include "fuzz/driver.hpp"
#include "scree/config/section.hpp"
#include "scree/core/maths.hpp"
#include "scree/core/png.hpp"
#include "scree/drive/settings.hpp"
#include "scree/ground/pac2002.hpp"
#include "scree/ground/stress_integral.hpp"
#include "scree/record/compare.hpp"
#include "scree/record/npy.hpp"
#include "scree/record/plot.hpp"
#include "scree/record/run_folder.hpp"
#include "scree/robot/model.hpp"
#include "scree/sim/scenario.hpp"
#include "scree/soil/soil.hpp"
#include "scree/study/soil_fit.hpp"
#include "scree/study/study_file.hpp"
#include "scree/study/sweep.hpp"
#include "scree/terrain/export.hpp"
#include "scree/terrain/expression.hpp"
#include "scree/terrain/make.hpp"
#include "scree/terrain/map.hpp"
#include "support/paths.hpp"

namespace scree::fuzz {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void add_files(std::vector<std::string>& seeds, const fs::path& folder, const std::string& ending) {
  if (!fs::exists(folder)) return;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const bool fits = entry.is_regular_file() && entry.path().filename().string().ends_with(ending);
    if (fits && entry.file_size() < (1u << 20)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) seeds.push_back(contents(file));
}

namespace {

/// A small hill, written in the program's own formats.
std::string exported(const std::string& name) {
  std::string folder = (fs::temp_directory_path() / "scree_fuzz_seed_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return "";
  HeightField field = make_field({9, 7, -2, -1.5, 0.5, 0.5}, "seed");
  for (int k = 0; k < 63; ++k) field.z[static_cast<std::size_t>(k)] = static_cast<float>(0.01 * (k * k % 17));
  std::string bytes;
  try {
    write_terrain_file(fs::path(folder) / name, field);
    bytes = contents(fs::path(folder) / name);
  } catch (const std::exception&) {
    // Built without the library that this format needs.
  }
  fs::remove_all(folder);
  return bytes;
}

std::function<void(const fs::path&)> terrain_table(const std::string& kind, const std::string& more) {
  return [kind, more](const fs::path& file) {
    const Document document = Document::from_text(
        "[terrain]\nkind = \"" + kind + "\"\nfile = \"" + file.string() + "\"\n" + more, "fuzz");
    Section root = document.root();
    Section table = root.child("terrain");
    const TerrainPtr terrain = make_terrain(table, {.seed = 1, .threads = 1});
    const double z = terrain->height(0.3, 0.2);
    if (!(z > -1e300 && z < 1e300)) std::abort();  // an importer lets no other number through
  };
}

void read_terrain(const fs::path& file) {
  const Document document = Document::from_file(file);
  Section root = document.root();
  make_terrain(root, {.seed = 1, .threads = 1})->height(0.3, 0.2);
}

/// The bytes as an expression: what is taken must hold what is said of it.
void read_expression(const fs::path& file) {
  const Expression expression({contents(file), {{"a", 0.3}, {"l", 4}}}, "fuzz");
  const Rectangle area{-0.5, 1.5, -1, 1};
  const ExpressionBounds bounds = expression.over(area);
  const double x[3] = {0.3, -0.5, 1.5}, y[3] = {0.2, 1, -1};
  double z[3], slope_x[3], slope_y[3];
  expression.gradients({3, x, y, z, slope_x, slope_y});
  for (int k = 0; k < 3; ++k) {
    if (z[k] < bounds.value.low || z[k] > bounds.value.high) std::abort();
    if (maths::hypot(slope_x[k], slope_y[k]) > bounds.slope * (1 + 1e-12)) std::abort();
  }
}

void read_map(const fs::path& file) {
  const Document document = Document::from_text(
      "[friction]\nkind = \"image\"\nfile = \"" + file.string() + "\"\nsize = [4, 3]\n", "fuzz");
  Section root = document.root();
  make_friction_map(root)->at(0.1, 0.2);
}

/// The four files of a run in one: parted by a line of its own.
constexpr const char* kPart = "\n=====\n";

void read_run(const fs::path& file) {
  const fs::path folder = file.parent_path() / "run";
  fs::create_directories(folder);
  std::string text = contents(file);
  for (const char* name : {"log.csv", "events.csv", "states.bin", "summary.json"}) {
    const auto end = text.find(kPart);
    std::ofstream(folder / name, std::ios::binary) << text.substr(0, end);
    text = end == std::string::npos ? "" : text.substr(end + 7);
  }
  const std::vector<RunFolder> runs{RunFolder::open(folder)};
  time_series(runs);
  comparison_table(compare_runs(runs, {}));
}

std::string whole_run() {
  std::string states = "SCREESTA";
  const std::uint32_t words[] = {1, 32, 2, 0, 0, 0};
  states.append(reinterpret_cast<const char*>(words), sizeof words);
  const double frames[] = {0, 1, 2, 0.1, 3, 4};
  states.append(reinterpret_cast<const char*>(frames), sizeof frames);
  return "time [s],speed [m/s],wheel.front_left.normal [N],wheel.front_left.slip "
         "[-]\n0,1,100,0.1\n0.1,2,nan,0\n" +
         std::string(kPart) +
         "time [s],robot,kind,text,x [m],y [m],z [m],ends_run\n0.1,a,goal,\"x, \"\"y\"\"\",1,2,3,1\n" +
         kPart + states + kPart + "{\"outcome\": \"finished\"}\n";
}

/// A log as NumPy reads it.
std::string whole_npy() {
  const std::vector<std::string> names{"time", "speed"}, titles{"time [s]", "speed [m/s]"};
  std::string text = npy_header(names, titles, 2);
  const double rows[] = {0, 1, 0.1, 2};
  return text.append(reinterpret_cast<const char*>(rows), sizeof rows);
}

void read_tyre(const fs::path& file) {
  const Pac2002 tyre = Pac2002::from_file(file);
  tyre.forces({.load = 4000, .kappa = 0.1, .slip_angle = 0.05, .camber = 0, .speed = 10});
}

/// Numbers of a soil that were taken must give numbers.
void read_soil(const fs::path& file) {
  const StressIntegral law(load_soil(file.string()), SoilWheel{});
  for (const double slip : {-1.0, 0.0, 0.5}) law.forces(0.02, {slip, 0.1});
  law.sinkage(65, {0.2, 0});
}

/// A sweep is given on the command line: every line is an axis or a change of a key, as --vary and --set take
/// them.
void read_sweep(const fs::path& file) {
  SweepPlan plan;
  plan.scenario = source_tree("/scenarios/bench/skid4.toml");
  std::ifstream in(file, std::ios::binary);
  for (std::string line; plan.axes.size() + plan.overrides.size() < 4 && std::getline(in, line);) {
    if (line.starts_with("--set ")) {
      plan.overrides.push_back(line.substr(6));
    } else {
      plan.axes.push_back(parse_axis(line));
    }
  }
  plan.cells();
  Document document = Document::from_file(plan.scenario);
  for (const std::string& change : plan.overrides) document.set(change);
  for (std::size_t i = 0; i < plan.axes.size(); ++i)
    if (!plan.axes[i].values.empty()) document.set(plan.axes[i].key + "=" + plan.axes[i].values.back());
  load_scenario(std::move(document), plan.scenario);
}

void read_measurements(const fs::path& file) { read_wheel_csv(file, {}); }

std::vector<std::string> terrain_seeds() {
  return {"kind = \"flat\"\nslope_deg = 3\n",
          "kind = \"function\"\nexpression = \"a*sin(x)*cos(y)\"\nparameters = { a = 0.3 }\n",
          "kind = \"fbm\"\nhurst = 0.5\nsigma = 0.01\nsize = [2, 2]\ncells = [16, 16]\n",
          "kind = \"noise\"\nsize = [2, 2]\ncell = 0.25\n",
          "kind = \"rocks\"\nsize = [4, 4]\ncell = 0.2\ncover = 0.05\n",
          "kind = \"craters\"\nsize = [4, 4]\ncell = 0.2\n",
          "kind = \"step_field\"\nsize = [2, 2]\ncell = 0.1\n",
          "kind = \"stairs\"\n",
          "kind = \"ramp\"\n",
          "kind = \"trench\"\n",
          "kind = \"compose\"\n[base]\nkind = \"sines\"\n[[feature]]\nkind = \"bump\"\nlength = 2\n"};
}

}  // namespace

std::vector<Kind> all_kinds(const fs::path& corpus) {
  std::vector<Kind> kinds;
  const auto add = [&](const std::string& name, const std::string& file, std::vector<std::string> seeds,
                       auto read) {
    std::erase(seeds, std::string());
    add_files(seeds, corpus / name, "");
    if (!seeds.empty()) kinds.push_back({name, file, std::move(seeds), read});
  };
  std::vector<std::string> scenarios, models, drives, soils, tyres;
  add_files(scenarios, source_tree("/scenarios/vivi"), ".toml");
  add_files(scenarios, source_tree("/scenarios/validation"), ".toml");
  add_files(scenarios, source_tree("/scenarios/bench"), ".toml");
  add_files(models, source_tree("/models"), "robot.toml");
  add_files(drives, source_tree("/drives"), ".toml");
  add_files(soils, source_tree("/soils"), ".toml");
  add_files(tyres, source_tree("/tyres"), ".tir");
  add("scenario", "s.toml", scenarios, [](const fs::path& file) { load_scenario(file); });
  add("model", "robot.toml", models,
      [](const fs::path& file) { const RobotModel model(read_robot(file.string(), ".")); });
  add("drive", "d.toml", drives, [](const fs::path& file) { read_drive_file(file); });
  add("terrain", "t.toml", terrain_seeds(), read_terrain);
  add("expression", "e.txt",
      {"a*sin(2*pi*x/l)*cos(y)", "x>1&&y<=.5?min(x,y,1e-3):-abs(x)^2.5", "sqrt(x^2+y^2)+atan2(y,x-4)",
       "avg(exp(-x^2),tanh(3*y),log10(x+9),rint(x),sign(y))/(1+acosh(2+x^2))", "((-x)^-2^y||x!=y)+_pi-_e"},
      read_expression);
  add("grid", "g.txt", {exported("g.txt"), "1 2 3\n4 5 6\n", "# order: image\n1,2\n3,4\n"},
      terrain_table("grid", "cell = 0.5\n"));
  add("mesh", "g.mesh", {exported("g.mesh")}, terrain_table("mesh", ""));
  add("obj", "g.obj", {exported("g.obj")}, terrain_table("mesh", "cells = [8, 6]\n"));
  add("points", "g.xyz", {exported("g.xyz"), "x,y,z\n0,0,1\n1,0,2\n1,1,3\n"},
      terrain_table("points", "cells = [8, 6]\n"));
  add("ply", "g.ply",
      {"ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
       "z\nend_header\n"
       "0 0 1\n1 0 2\n1 1 3\n0 1 4\n"},
      terrain_table("points", "cells = [2, 2]\n"));
  add("image", "g.png", {exported("g.png")}, terrain_table("image", "cell = 0.5\n"));
  add("dem", "g.tif", {exported("g.tif"), exported("g.asc")}, terrain_table("dem", "nodata = \"fill\"\n"));
  add("dem_cell", "g.tif", {exported("g.tif"), exported("g.asc")},
      terrain_table("dem", "nodata = \"fill\"\ncell = 0.8\nresampling = \"average\"\n"));
  add("map", "g.png", {exported("g.png")}, read_map);
  add("run", "run.txt", {whole_run()}, read_run);
  add("npy", "log.npy", {whole_npy()}, [](const fs::path& file) { read_npy(file); });
  add("soil", "soil.toml", soils, read_soil);
  add("tir", "tyre.tir", tyres, read_tyre);
  add("wheel_csv", "bed.csv",
      {"load [N],slip [%],slip_angle [deg],sinkage [mm],drawbar [N],side [N],torque [N m]\n"
       "65,10,0,12.5,-3,0,1.1\n65,30,10,15,4,-8,2.2\n",
       "slip,drawbar\n0.1,-3\n0.2,\n"},
      read_measurements);
  add("sweep", "sweep.txt",
      {"solver.step=1e-3:2e-3:3\nworld.friction=0.5,1\n--set duration=2\n", "seed=1,2,3\n",
       "--set robot[0].start.yaw_deg=5\nterrain.slope_deg=0:20:5\n"},
      read_sweep);
  add("study", "study.toml",
      {"format = 1\nscenario = \"bench/skid4\"\ntrials = 3\nlatin = { cells = 4 }\n[[factor]]\nkey = "
       "\"world.friction\"\nrange = [0.5, 1.0]\n[[success]]\nkind = \"goal\"\narea = [0, 1, 0, 1]\n",
       "scenario = \"demo\"\nmap = [\"a\", \"b\"]\n[sequential]\nwidth = 0.1\n[[factor]]\nname = \"a\"\n"
       "[[factor.level]]\nname = \"x\"\nset = [\"duration=1\"]\n[[factor]]\nname = \"b\"\nkey = \"seed\"\n"
       "values = [1, 2]\n[[draw]]\nkey = \"robot.start.yaw\"\nrange = [0, 1]\n[[failure]]\nkind = "
       "\"time_out\"\ntime = 2.0\n[[failure]]\nkind = \"stuck\"\n[[success]]\nkind = \"landed\"\n"},
      [](const fs::path& file) { read_study(file); });
#ifdef SCREE_FUZZ_VIEW
  add_view_kinds(kinds, corpus);
#endif
  return kinds;
}

}  // namespace scree::fuzz
