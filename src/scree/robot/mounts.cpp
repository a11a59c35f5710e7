#include "scree/robot/mounts.hpp"

#include <algorithm>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

bool is_pattern(const std::string& text) { return text.find_first_of("*?[") != std::string::npos; }

/// What a drive may sit on.
struct Candidate {
  std::string name;
  const WheelSettings* wheel = nullptr;
  const RobotLinkSettings* link = nullptr;
  bool moves() const { return wheel || link->joint != "fixed"; }
};

std::vector<Candidate> candidates(const RobotSettings& x) {
  std::vector<Candidate> out;
  for (const auto& wheel : x.wheels) out.push_back({wheel.name, &wheel, nullptr});
  for (const auto& link : x.links) out.push_back({link.name, nullptr, &link});
  return out;
}

void check_place(const RobotDriveSettings& d, const Candidate& at) {
  if (!at.moves()) {
    input_error("{}: '{}' is fixed to its parent: a drive needs a revolute or prismatic joint, or a wheel",
                d.where, at.name);
  }
  if (at.link && at.link->motion.active()) {
    input_error("{}: '{}' is prescribed (motion.kind = \"{}\") and cannot be driven too: leave one out",
                d.where, at.name, at.link->motion.kind);
  }
  if (at.wheel && d.drive.kind == "kinematic") {
    input_error("{}: a kinematic drive moves a joint, '{}' is a wheel: use kind = \"governor\"", d.where,
                at.name);
  }
}

/// Entry of the file for a candidate, or null. `met` marks the entries that found a place.
const RobotDriveSettings* entry_for(const RobotSettings& x, const Candidate& at, std::vector<char>& met) {
  const RobotDriveSettings* found = nullptr;
  for (std::size_t i = 0; i < x.drives.size(); ++i) {
    const RobotDriveSettings& d = x.drives[i];
    const bool pattern = is_pattern(d.on);
    if (pattern ? !at.moves() || !matches_pattern(at.name, d.on) : at.name != d.on) continue;
    check_place(d, at);
    if (found) {
      input_error("{}: '{}' has a drive already ({}): one drive a coordinate", d.where, at.name,
                  found->where);
    }
    if (pattern && !d.drive.name.empty()) {
      input_error("{}: name \"{}\" with a pattern: leave it out, each drive is called like its joint",
                  d.where, d.drive.name);
    }
    found = &d;
    met[i] = 1;
  }
  return found;
}

}  // namespace

std::vector<NamedDrive> resolve_drives(const RobotSettings& x) {
  std::vector<NamedDrive> out;
  std::vector<char> met(x.drives.size(), 0);
  const std::vector<Candidate> places = candidates(x);
  for (const Candidate& at : places) {
    const RobotDriveSettings* entry = entry_for(x, at, met);
    if (!entry && !(at.wheel && at.wheel->driven)) continue;
    NamedDrive d{at.name, entry ? entry->drive : x.drive};
    if (!entry || d.drive.name.empty()) d.drive.name = at.name;
    for (const NamedDrive& other : out) {
      if (other.drive.name == d.drive.name) {
        input_error("robot '{}': two drives are called '{}'; give each its own name", x.name, d.drive.name);
      }
    }
    out.push_back(std::move(d));
  }
  std::vector<std::string> names;
  for (const Candidate& at : places)
    if (at.moves()) names.push_back(at.name);
  for (std::size_t i = 0; i < met.size(); ++i) {
    if (met[i]) continue;
    const RobotDriveSettings& d = x.drives[i];
    input_error("{}: on = \"{}\": no wheel or joint of that name{}", d.where, d.on, name_hint(d.on, names));
  }
  return out;
}

std::vector<DriveMount> mount_drives(std::span<const NamedDrive> drives, const Tree& tree) {
  std::vector<DriveMount> out;
  for (const NamedDrive& d : drives) {
    Coordinate at;
    const auto rotors = tree.rotors();
    const auto rotor = std::find_if(rotors.begin(), rotors.end(), [&](auto& r) { return r.name == d.on; });
    at.kind = rotor != rotors.end() ? Coordinate::Kind::rotor : Coordinate::Kind::joint;
    const bool turns_wheel = at.kind == Coordinate::Kind::rotor;
    at.index = turns_wheel ? static_cast<int>(rotor - rotors.begin()) : tree.joint_index(d.on);
    at.position = at.index + (turns_wheel ? tree.rotor_position() : tree.joint_position());
    at.velocity = at.index + (turns_wheel ? tree.rotor_velocity() : tree.joint_velocity());
    const double inertia = turns_wheel ? rotor->inertia : tree.joints()[at.index].inertia_scale;
    out.push_back({at, with_gains(d.drive, inertia), reflected_inertia(d.drive)});
  }
  return out;
}

}  // namespace scree
