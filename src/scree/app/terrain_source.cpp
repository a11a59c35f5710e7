#include "scree/app/terrain_source.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/terrain/export.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {
namespace {

bool is_kind(const std::string& name) {
  return std::any_of(terrain_kinds().begin(), terrain_kinds().end(),
                     [&](const TerrainKind& k) { return k.name == name; });
}

/// The [terrain] table as a document: from a TOML file, or written for a kind or a terrain file.
Document document_of(const TerrainSource& source) {
  const std::filesystem::path path = source.what;
  if (path.extension() == ".toml") return Document::from_file(path);
  if (is_kind(source.what))
    return Document::from_text(fmt::format("[terrain]\nkind = {}\n", json_text(source.what)), "command line");
  if (!std::filesystem::exists(path)) {
    std::vector<std::string> names;
    for (const TerrainKind& k : terrain_kinds()) names.push_back(k.name);
    input_error("'{}' is neither a file nor a kind of ground{}", source.what, name_hint(source.what, names));
  }
  const std::string kind = source.kind.empty() ? kind_of_file(path) : source.kind;
  return Document::from_text(
      fmt::format("[terrain]\nkind = {}\nfile = {}\n", json_text(kind), json_text(path.string())),
      "command line");
}

/// One point per bin would be a grey cloud of thousands; a few thousand show the same scatter.
constexpr std::size_t kMostPoints = 4000;

std::string spectrum_script(const FbmEstimate& e, const std::string& title, const std::string& terminal,
                            const std::string& file) {
  std::string s = fmt::format("set terminal {} size 900,640\nset output {}\n", terminal, json_text(file));
  s += "set encoding utf8\nset logscale xy\nset format '10^{%L}'\nset grid lc rgb '#dddddd'\nset key top "
       "right box opaque\n";
  s += fmt::format("set title {} noenhanced\n", json_text(title));
  s += "set xlabel 'u^2 + v^2  [1/m^2]'\nset ylabel 'S(u, v)  [m^4]'\n";
  // The line is that of the regression: the raw sigma.
  s += fmt::format("f(q) = {:.9g} * q**({:.9g})\n", e.sigma_raw * e.sigma_raw, -e.hurst - 1);
  s += fmt::format(
      "plot '-' using 1:2 with points pt 7 ps 0.25 lc rgb '#6080a0' title 'power spectrum', "
      "f(x) with lines lw 2 lc rgb '#c03020' title 'H = {:.3f} ± {:.3f}, σ = {:.4g} ± {:.2g} (raw {:.4g})'\n",
      e.hurst, e.hurst_error, e.sigma, e.sigma_error, e.sigma_raw);
  const std::size_t every = std::max<std::size_t>(1, e.spectrum.size() / kMostPoints);
  for (std::size_t k = 0; k < e.spectrum.size(); k += every) {
    s += fmt::format("{:.6g} {:.6g}\n", e.spectrum[k].frequency2, e.spectrum[k].density);
  }
  return s + "e\n";
}

}  // namespace

TerrainPtr load_terrain(const TerrainSource& source) {
  Document document = document_of(source);
  for (const std::string& assignment : source.set) document.set("terrain." + assignment);
  Section root = document.root();
  if (!root.has("terrain")) input_error("'{}': no [terrain] table", source.what);
  std::uint64_t seed = source.seed;
  if (source.seed == 0 && root.has("seed")) root.unsigned_integer("seed", seed, {.unit = "-", .doc = "Seed"});
  Section terrain = root.child("terrain");
  return make_terrain(terrain, {seed, machine_threads()});
}

#ifndef SCREE_HAVE_VIEW
void write_terrain_picture_3d(const std::filesystem::path& file, const Terrain&, const Picture3dSettings&) {
  input_error("'{}': 3-D pictures need the window: configure with -DSCREE_VIEW=ON and install what it needs",
              file.string());
}
#endif

void draw_spectrum(const FbmEstimate& e, const std::string& title, const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  const std::string terminal = extension == ".png"   ? "pngcairo"
                               : extension == ".svg" ? "svg"
                               : extension == ".pdf" ? "pdfcairo"
                                                     : "";
  if (terminal.empty()) input_error("'{}': a plot ends in .png, .svg or .pdf", file.string());
  if (e.spectrum.empty())
    input_error("'{}': there is no spectrum to draw: {}", title, e.reasons.empty() ? "" : e.reasons[0]);
  const std::filesystem::path temporary = file.string() + fmt::format(".part{}", ::getpid()) + extension;
  std::string script = spectrum_script(e, title, terminal, temporary.string());
  if (terminal == "pdfcairo") script.replace(script.find("900,640"), 7, "18cm,13cm");
  FILE* pipe = ::popen("gnuplot 2>/dev/null", "w");
  const bool written = pipe && std::fwrite(script.data(), 1, script.size(), pipe) == script.size();
  const int status = pipe ? ::pclose(pipe) : -1;
  std::error_code error;
  if (written && status == 0) std::filesystem::rename(temporary, file, error);
  if (!written || status != 0 || error) {
    std::filesystem::remove(temporary, error);
    run_error("cannot draw '{}': is gnuplot installed and the folder writable?", file.string());
  }
}

}  // namespace scree
