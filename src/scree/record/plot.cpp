#include "scree/record/plot.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/record/gnuplot_internal.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
/// More points than pixels only cost time.
constexpr std::size_t kBuckets = 2000;

std::string terminal_of(const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".png") return "pngcairo";
  if (ending == ".svg") return "svg";
  if (ending == ".pdf") return "pdfcairo";
  input_error("{}: figures can be written as .png, .svg or .pdf", file.string());
}

/// A string of gnuplot: single quotes hold everything but themselves.
std::string quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    out += c == '\n' || c == '\r' ? ' ' : c;
    if (c == '\'') out += '\'';
  }
  return out + "'";
}

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  for (const auto& folder : split(path == nullptr ? "/usr/bin:/bin" : path, ':')) {
    if (::access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// Writes to a program that may die early without dying with it.
class PipeGuard {
 public:
  PipeGuard() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~PipeGuard() { std::signal(SIGPIPE, before_); }
  PipeGuard(const PipeGuard&) = delete;
  PipeGuard& operator=(const PipeGuard&) = delete;

 private:
  void (*before_)(int);
};

/// The first line that says something, without gnuplot's picture of where it stopped.
std::string first_complaint(const fs::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::string text = trim(line);
    if (!text.empty() && text != "^" && !text.starts_with("gnuplot>")) return text;
  }
  return "it gave no reason";
}

std::string shell_quote(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string gnuplot_script(const Figure& figure, const std::string& terminal, const std::string& file) {
  const int count = static_cast<int>(figure.panels.size());
  const int columns = figure.columns > 0 ? std::min(figure.columns, count) : (count > 5 ? 2 : 1);
  const int rows = (count + columns - 1) / columns;
  std::size_t longest = 0;
  for (const auto& panel : figure.panels) {
    for (const auto& curve : panel.curves) longest = std::max(longest, curve.label.size());
  }
  // About 8 px a letter beside the panel, and room for the sample line.
  const int legend = static_cast<int>(longest) * 8 + 60;
  const int panel = columns > 1 ? figure.panel_width * 2 / 3 : figure.panel_width;
  const int width = (panel + legend) * columns, height = figure.panel_height * rows + 40;
  // The cairo PDF terminal counts in inches.
  const std::string size = terminal == "pdfcairo" ? fmt::format("{:.2f},{:.2f}", width / 96.0, height / 96.0)
                                                  : fmt::format("{},{}", width, height);
  std::string out = fmt::format(
      "set encoding utf8\nset terminal {} size {} font 'DejaVu Sans,11' enhanced\nset output {}\n"
      "set border lc rgb '#444444'\nset key noenhanced at graph 1.02, 1 left top Left reverse samplen 2\n"
      "set datafile missing 'nan'\nset lmargin 12\nset rmargin {}\n",
      terminal, size, quote(file), longest + 6);
  const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                           "#e69f00", "#56b4e9", "#000000", "#999933"};
  for (int i = 0; i < 8; ++i) out += fmt::format("set linetype {} lc rgb '{}' lw 1.6\n", i + 1, colours[i]);
  out += "set linetype cycle 8\nset grid lt 1 dt 1 lw 0.5 lc rgb '#cccccc'\n";
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    for (std::size_t c = 0; c < figure.panels[p].curves.size(); ++c) {
      const Curve curve = thinned(figure.panels[p].curves[c], kBuckets);
      out += fmt::format("$d{}_{} << END_OF_DATA\n", p, c);
      for (std::size_t i = 0; i < curve.x.size(); ++i) {
        out += std::isfinite(curve.y[i]) ? fmt::format("{:.9g} {:.9g}\n", curve.x[i], curve.y[i])
                                         : fmt::format("{:.9g} nan\n", curve.x[i]);
      }
      out += "END_OF_DATA\n";
    }
  }
  out += fmt::format("set multiplot layout {},{} title {} noenhanced font 'DejaVu Sans,13'\n", rows, columns,
                     quote(figure.title));
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    const Panel& panel = figure.panels[p];
    const bool lowest = p + static_cast<std::size_t>(columns) >= figure.panels.size();
    const bool same_below =
        !lowest && figure.panels[p + static_cast<std::size_t>(columns)].x_label == panel.x_label;
    out += fmt::format("set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} noenhanced\n",
                       quote(panel.title), quote(same_below ? "" : panel.x_label), quote(panel.y_label));
    const auto range = [](const std::vector<double>& r) {
      return r.size() == 2 ? fmt::format("[{:.9g}:{:.9g}]", r[0], r[1]) : std::string("[*:*]");
    };
    out += fmt::format("set xrange {}\nset yrange {}\nplot ", range(panel.x_range), range(panel.y_range));
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      out += fmt::format("{}$d{}_{} using 1:2 with lines lt {} title {}", c > 0 ? ", " : "", p, c, c + 1,
                         quote(panel.curves[c].label));
    }
    out += "\n";
  }
  return out + "unset multiplot\nunset output\n";
}

void draw_figure(const Figure& figure, const fs::path& file) {
  const std::string terminal = terminal_of(file);
  const bool empty =
      figure.panels.empty() || std::any_of(figure.panels.begin(), figure.panels.end(),
                                           [](const Panel& panel) { return panel.curves.empty(); });
  if (empty) input_error("{}: nothing to draw", file.string());
  const fs::path folder = file.parent_path().empty() ? "." : file.parent_path();
  if (std::error_code status; !fs::is_directory(folder, status) || ::access(folder.c_str(), W_OK) != 0) {
    input_error("{}: cannot be written: {} is no folder that can be written to", file.string(),
                folder.string());
  }
  if (!on_path("gnuplot")) run_error("figures need the program gnuplot; install the package gnuplot-nox");
  const std::string part = fmt::format("{}.part.{}", file.string(), ::getpid());
  const std::string complaints = part + ".log";
  const PipeGuard guard;
  FILE* pipe = ::popen(("gnuplot > /dev/null 2> " + shell_quote(complaints)).c_str(), "w");
  if (pipe == nullptr) run_error("gnuplot cannot be started");
  const std::string script = gnuplot_script(figure, terminal, part);
  std::fwrite(script.data(), 1, script.size(), pipe);
  const int status = ::pclose(pipe);
  std::error_code error;
  const bool drawn = status == 0 && fs::exists(part, error) && fs::file_size(part, error) > 0;
  const std::string reason = drawn ? "" : first_complaint(complaints);
  fs::remove(complaints, error);
  if (drawn) fs::rename(part, file, error);
  if (!drawn || error) {
    std::error_code ignored;
    fs::remove(part, ignored);
    run_error("{}: the figure was not drawn: {}", file.string(), drawn ? error.message() : reason);
  }
}

}  // namespace scree
