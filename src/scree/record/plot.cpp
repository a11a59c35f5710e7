#include "scree/record/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"
#include "scree/core/program.hpp"
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

/// The texts of a figure, as a block of data. Each line begins with a mark, so that no text can be taken for
/// the end of the block.
class Texts {
 public:
  /// What stands for the text in a command: its line without the mark.
  std::string add(std::string_view text) {
    lines_ += '=';
    for (const char c : text) lines_ += static_cast<unsigned char>(c) < ' ' || c == 0x7f ? ' ' : c;
    lines_ += '\n';
    return fmt::format("$text[{}][2:*]", ++count_);
  }
  std::string block() const { return "$text << END_OF_TEXT\n" + lines_ + "END_OF_TEXT\n"; }

 private:
  std::string lines_;
  int count_ = 0;
};

/// The first line that says something, without gnuplot's picture of where it stopped.
std::string first_complaint(const std::string& complaints) {
  for (const auto& line : split(complaints, '\n')) {
    const std::string text = trim(line);
    if (!text.empty() && text != "^" && !text.starts_with("gnuplot>")) return text;
  }
  return "it gave no reason";
}

/// Width and height of the whole, and room beside each panel.
struct Layout {
  int rows = 1, columns = 1;
  std::size_t letters = 0;  ///< of the longest label
  int width = 0, height = 0;
};

Layout layout_of(const Figure& figure) {
  Layout out;
  const int count = static_cast<int>(figure.panels.size());
  out.columns = figure.columns > 0 ? std::min(figure.columns, count) : (count > 5 ? 2 : 1);
  out.rows = (count + out.columns - 1) / out.columns;
  for (const auto& panel : figure.panels) {
    for (const auto& curve : panel.curves) out.letters = std::max(out.letters, curve.label.size());
  }
  // About 8 px a letter beside the panel, and room for the sample line.
  const int legend = out.letters > 0 && !figure.legend_inside
                         ? static_cast<int>(std::min<std::size_t>(out.letters, 200)) * 8 + 60
                         : 0;
  const int panel = figure.columns == 0 && out.columns > 1 ? figure.panel_width * 2 / 3 : figure.panel_width;
  out.width = (panel + legend) * out.columns;
  out.height = figure.panel_height * out.rows + 40;
  return out;
}

std::string range_text(const std::vector<double>& range) {
  return range.size() == 2 ? fmt::format("[{:.9g}:{:.9g}]", range[0], range[1]) : "[*:*]";
}

/// Places outside what gnuplot can hold are gaps like NaN.
std::string data_block(const Curve& curve) {
  std::string out;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    out += std::isfinite(curve.y[i]) && std::isfinite(curve.x[i])
               ? fmt::format("{:.9g} {:.9g}\n", curve.x[i], curve.y[i])
               : "nan nan\n";
  }
  return out;
}

std::string mark_text(const Curve& curve, std::size_t place) {
  const std::string colour = curve.colour >= 0 ? fmt::format("lc rgb '#{:06x}'", curve.colour & 0xffffff)
                                               : fmt::format("lt {}", place + 1);
  switch (curve.mark) {
    case Mark::points:
      return fmt::format("using 1:2 with points pt 7 ps 0.25 {}", colour);
    case Mark::boxes:
      return fmt::format("using 1:2:({:.9g}):({:.9g}) with boxxyerror fs solid 1 border lc 'white' {}",
                         curve.box_x / 2, curve.box_y / 2, colour);
    case Mark::line:
      break;
  }
  return fmt::format("using 1:2 with lines {}", colour);
}

/// The beginning of a plot command; the scale of colours needs something that is drawn with it.
std::string raster_script(const Raster& raster, Texts& texts) {
  std::string stops;
  for (std::size_t k = 0; k < raster.colours.size(); ++k)
    stops += fmt::format("{}{} '#{:06x}'", k > 0 ? ", " : "", k, raster.colours[k] & 0xffffff);
  const double dx = (raster.x_max - raster.x_min) / raster.width,
               dy = (raster.y_max - raster.y_min) / raster.height;
  return fmt::format(
      "set size ratio -1\nset palette defined ({})\nset cbrange [{:.9g}:{:.9g}]\nset cblabel {} noenhanced\n"
      "plot '-' binary array=({},{}) format='%uchar' origin=({:.9g},{:.9g}) dx={:.9g} dy={:.9g} "
      "with rgbimage notitle, '+' using (NaN):(NaN):(0) with points palette notitle",
      stops, raster.low, raster.high > raster.low ? raster.high : raster.low + 1e-9, texts.add(raster.label),
      raster.width, raster.height, raster.x_min + 0.5 * dx, raster.y_min + 0.5 * dy, dx, dy);
}

std::string panel_script(const Figure& figure, std::size_t p, int columns, Texts& texts) {
  const Panel& panel = figure.panels[p];
  const std::size_t below = p + static_cast<std::size_t>(columns);
  const bool same_below = below < figure.panels.size() && figure.panels[below].x_label == panel.x_label;
  std::string out = "unset logscale\nunset label\nset size noratio\nset format '%h'\n";
  if (panel.log_x) out += "set logscale x\nset format x '10^{%L}'\n";
  if (panel.log_y) out += "set logscale y\nset format y '10^{%L}'\n";
  out += fmt::format("set title {} noenhanced\nset xlabel {} noenhanced\nset ylabel {} noenhanced\n",
                     texts.add(panel.title), texts.add(same_below ? "" : panel.x_label),
                     texts.add(panel.y_label));
  out += fmt::format("set xrange {}\nset yrange {}\n", range_text(panel.x_range), range_text(panel.y_range));
  for (const Note& note : panel.notes) {
    out += fmt::format("set label {} at {:.9g},{:.9g} center noenhanced front font ',8'\n",
                       texts.add(note.text), note.x, note.y);
  }
  const bool picture = panel.raster.width > 0;
  if (picture) out += raster_script(panel.raster, texts);
  for (std::size_t c = 0; c < panel.curves.size(); ++c) {
    const Curve& curve = panel.curves[c];
    out += fmt::format("{}$d{}_{} {} {}", c > 0 || picture ? ", " : "plot ", p, c, mark_text(curve, c),
                       curve.label.empty() ? "notitle" : "title " + texts.add(curve.label));
  }
  out += "\n";
  // The pixels follow the command that asks for them.
  if (picture) out.append(panel.raster.rgb.begin(), panel.raster.rgb.end()), out += '\n';
  return out;
}

}  // namespace

std::string gnuplot_script(const Figure& figure, const std::string& terminal) {
  const Layout layout = layout_of(figure);
  // The cairo PDF terminal counts in inches.
  const std::string size = terminal == "pdfcairo"
                               ? fmt::format("{:.2f},{:.2f}", layout.width / 96.0, layout.height / 96.0)
                               : fmt::format("{},{}", layout.width, layout.height);
  std::string out = fmt::format(
      "set encoding utf8\nset terminal {} size {} font 'DejaVu Sans,11' enhanced\nunset output\n"
      "set border lc rgb '#444444'\nset datafile missing 'nan'\nset lmargin 12\n",
      terminal, size);
  out += figure.legend_inside && layout.letters == 0 ? std::string("unset key\n")
         : figure.legend_inside
             ? std::string("set key noenhanced top right Left reverse box opaque samplen 2\n")
             : fmt::format(
                   "set key noenhanced at graph 1.02, 1 left top Left reverse "
                   "samplen 2\nset rmargin {}\n",
                   std::min<std::size_t>(layout.letters, 200) + 6);
  const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                           "#e69f00", "#56b4e9", "#000000", "#999933"};
  for (int i = 0; i < 8; ++i) out += fmt::format("set linetype {} lc rgb '{}' lw 1.6\n", i + 1, colours[i]);
  out += "set linetype cycle 8\nset grid lt 1 dt 1 lw 0.5 lc rgb '#cccccc'\n";
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    for (std::size_t c = 0; c < figure.panels[p].curves.size(); ++c) {
      const Curve& curve = figure.panels[p].curves[c];
      out += fmt::format("$d{}_{} << END_OF_DATA\n", p, c);
      out += data_block(curve.mark == Mark::line ? thinned(curve, kBuckets) : curve) + "END_OF_DATA\n";
    }
  }
  Texts texts;
  const std::string title = texts.add(figure.title);
  std::string plots;
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    plots += panel_script(figure, p, layout.columns, texts);
  }
  out += texts.block();
  out += fmt::format("set multiplot layout {},{} title {} noenhanced font 'DejaVu Sans,13'\n", layout.rows,
                     layout.columns, title);
  return out + plots + "unset multiplot\n";
}

void draw_figure(const Figure& figure, const fs::path& file) {
  const std::string terminal = terminal_of(file);
  const bool empty = figure.panels.empty() ||
                     std::any_of(figure.panels.begin(), figure.panels.end(), [](const Panel& panel) {
                       return panel.curves.empty() && panel.raster.width == 0;
                     });
  if (empty) input_error("{}: nothing to draw", file.string());
  const fs::path folder = file.parent_path().empty() ? "." : file.parent_path();
  if (std::error_code status; !fs::is_directory(folder, status) || ::access(folder.c_str(), W_OK) != 0) {
    input_error("{}: cannot be written: {} is no folder that can be written to", file.string(),
                folder.string());
  }
  if (!program_found("gnuplot"))
    run_error("figures need the program gnuplot; install the package gnuplot-nox");
  // -d: the same picture whatever the user's own start-up file says.
  Program gnuplot({"gnuplot", "-d"}, fmt::format("figure '{}'", file.string()));
  gnuplot.write(gnuplot_script(figure, terminal));
  const int status = gnuplot.finish();
  const std::string picture = gnuplot.output();
  if (status != 0 || picture.empty()) {
    run_error("{}: the figure was not drawn: {}", file.string(), first_complaint(gnuplot.complaints()));
  }
  write_whole_file(file, picture);
}

}  // namespace scree
