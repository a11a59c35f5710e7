#pragma once
/// soil.bin of a run folder: what changed in soil that deforms, one record a keyframe of states.bin.
///
/// Little-endian. Header: "SCREESOI", uint32 version 1, uint32 0, double cell [m]. A record: double time,
/// int64 compacted, uint32 tiles, uint32 cells in all; a tile: int32 x, int32 y, uint32 cells, uint32 0; a
/// cell: int32 sunk, int32 loose [2^-26 m], float slip, uint16 number in the tile, uint8 lug [0.25 mm], uint8
/// 0. Only cells that differ from the record before are written.
#include <filesystem>
#include <string>

#include "scree/record/output_file.hpp"
#include "scree/soil/soil_tiles.hpp"

namespace scree {

class SoilTapeWriter {
 public:
  SoilTapeWriter(std::filesystem::path file, double cell);
  void add(double time, const SoilTiles& tiles);
  void flush() { out_.flush(); }

 private:
  OutputFile out_;
  SoilTiles last_;
  std::string record_;
};

class SoilTape {
 public:
  /// Empty when there is no such file. Throws InputError when it is damaged other than by being cut short.
  explicit SoilTape(const std::filesystem::path& file);
  bool empty() const { return bytes_.empty(); }
  double cell() const { return cell_; }
  /// Time of the next record; infinity at the end.
  double next() const;
  /// Lays the next record over the tiles.
  void read(SoilTiles& tiles, const Terrain& terrain);

 private:
  std::filesystem::path file_;
  std::string bytes_;
  std::size_t at_ = 0;
  double cell_ = 0;
};

/// The soil of a run folder at a keyframe's time. `tiles` is that of a fresh state.
void read_soil(const std::filesystem::path& folder, double time, const Terrain& terrain, SoilTiles& tiles);

}  // namespace scree
