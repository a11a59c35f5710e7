#pragma once
/// How the parts of a robot meet the ground: groups of contact elements.
///
/// A group holds all elements of one kind on one robot (its slice wheels, its bodies): constant, built
/// once. In a step it is called twice. touch() gets the motion of the links and adds wrenches with their
/// derivatives to the loads; after the solve, finish() steps the elements' own memory, which lies in the
/// robot's state. Nobody else knows which kinds there are: stability, sensors, events, log and window read
/// the flat list of `Contact`s.
///
/// A new kind is one file with a class and a ContactKind, and one line in contact_kinds.cpp.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/core/lanes.hpp"
#include "scree/core/loads.hpp"
#include "scree/ground/hull.hpp"
#include "scree/ground/magic_formula.hpp"
#include "scree/ground/slice_search.hpp"
#include "scree/ground/suspension.hpp"
#include "scree/soil/ground_soils.hpp"
#include "scree/soil/soil_tiles.hpp"
#include "scree/terrain/map.hpp"

namespace scree {

/// How a stage of the step weighs new values; dt = 0: the forces of this instant.
struct StageStep {
  double dt = 0;            ///< s
  double theta = 0.5;       ///< weight of new values: springs and dampers
  double theta_slip = 0.5;  ///< slip and drives
  int load_passes = 1;      ///< evaluations that settle a load with what depends on it
};

/// The ground during one step, the same for all elements.
struct GroundView {
  const Terrain* terrain = nullptr;
  const SliceTable* slices = nullptr;       ///< division of rims, solver.slices
  double slope_bound = 0;                   ///< no slope near this robot is larger
  double feature = 0;                       ///< finest feature near this robot [m]; 0: smooth or unknown
  double friction = 1;                      ///< scale of friction everywhere
  const ScalarMap* friction_map = nullptr;  ///< and from place to place; null: 1
  const GroundSoils* soils = nullptr;       ///< which soil lies where, with its numbers; null: none
  const SoilTiles* tiles = nullptr;         ///< the state of soil that deforms; null or inactive: none
  const SoilGridSettings* grid = nullptr;   ///< how it deforms; null: it does not
  double gravity = 9.81;                    ///< m/s², for the weight of soil
  bool planar = false;                      ///< slices: forces in the wheel's plane, solver.normal
  bool slices_only = false;                 ///< slices: plain slices on any ground, solver.search
};

/// Motion in.
struct ContactMotion {
  std::span<const LinkMotion> link;
  std::span<const double> spin;  ///< of the rotors, relative to their links [rad/s]
};

/// Wrenches and derivatives out.
struct ContactLoads {
  std::span<LinkLoad> link;
  std::span<RotorLoad> rotor;
};

/// What the solve answered: rate of change of V_WL_L of every link, and of every rotor's spin.
class ContactAnswer {
 public:
  /// `first` is the first link's, the others follow at `stride` bytes.
  ContactAnswer(const Vec6* first, std::size_t stride, const double* spin)
      : first_(reinterpret_cast<const char*>(first)), stride_(stride), spin_(spin) {}
  const Vec6& link(int i) const {
    return *reinterpret_cast<const Vec6*>(first_ + static_cast<std::size_t>(i) * stride_);
  }
  const double* spin() const { return spin_; }

 private:
  const char* first_;
  std::size_t stride_;
  const double* spin_;
};

/// Where four wheels found the ground, in the axes of their link: what spares others a look.
struct SeenGround {
  V3<Lanes> point;
  Mask seen{};
};

/// What the contacts of a robot came to in this touch, for events.
struct TouchReport {
  int touching = 0;    ///< wheels on the ground
  double gap = 1e300;  ///< least clearance of its wheels [m]; negative: pressed in
  bool body = false;   ///< a body touches
  int buried = 0;      ///< wheels deeper in soil than their radius
};

/// One element as others read it; all vectors in world axes.
struct Contact {
  int link = 0;           ///< moving link that bears the force
  int wheel = -1;         ///< of the robot; -1: a body
  bool touching = false;  ///< the rest is zero without (p_W of a wheel: its lowest point)
  Vec3 p_W = Vec3::Zero();
  Vec3 normal_W = Vec3::UnitZ();
  Vec3 force_W = Vec3::Zero();   ///< of the ground on the robot [N]
  Vec3 moment_W = Vec3::Zero();  ///< couple beside it: rolling resistance, moments of a patch [N m]
  double load = 0;               ///< normal force [N]
  double fx = 0, fy = 0;         ///< longitudinal and lateral force, forward and left positive [N]
  double depth = 0;              ///< how deep it is pressed in: suspension, tyre or soil [m]
  double travel = 0;             ///< of the hub along the suspension, up positive [m]
  double angle = 0;              ///< of the contact on the rim, ahead of the hub positive [rad]
  double tilt = 0;               ///< of the normal across the wheel, left up positive [rad]
  double slip = 0;               ///< conventions, Slip [-]
  double slip_angle = 0;         ///< atan(v_y / |v_x|) [rad]
  double peak = 0;               ///< the most that it could pull at this load [N]
  double entry = 0, exit = 0;    ///< soil: angles of the patch on the rim, from its normal [rad]
  double resistance = 0;         ///< soil: torque against the spin [N m]
};

/// Scratch of one group on one robot.
struct ContactScratch {
  virtual ~ContactScratch() = default;
};

/// All that a touch reads and writes.
struct Touch {
  const GroundView& ground;
  const ContactMotion& motion;
  const StageStep& step;
  ContactLoads loads;
  std::span<SeenGround> seen;  ///< groups of wheels write theirs, later groups may read
  TouchReport& report;
};

class ContactGroup {
 public:
  virtual ~ContactGroup() = default;
  /// Doubles of memory in the state, zero at the start.
  virtual int memory() const = 0;
  /// Places in the flat list of contacts, in the order of the elements.
  virtual int contacts() const = 0;
  virtual std::unique_ptr<ContactScratch> scratch() const = 0;

  /// Adds wrenches (and, for dt > 0, apparent inertias) to the loads.
  virtual void touch(Touch& touch, const double* memory, ContactScratch& scratch) const = 0;
  /// After the solve: the memory at the end of the step.
  virtual void finish(const ContactMotion& motion, const StageStep& step, const ContactAnswer& answer,
                      ContactScratch& scratch, double* memory) const = 0;
  /// Rates of the memory at the last touch, and what is left of it after a step: for explicit integrators.
  virtual void rates(const ContactScratch& scratch, const double* memory, double* rates) const = 0;
  virtual void settle(const ContactScratch& scratch, double* memory) const = 0;

  /// After all robots have stepped, in a fixed order: what the last touch leaves in soil that deforms.
  virtual void press(const GroundView&, SoilTiles&, ContactScratch&, double* /*memory*/) const {}

  /// The last touch as others read it (the view's slope bound is not set). No allocation.
  virtual void list(const GroundView& ground, const ContactMotion& motion, const ContactScratch& scratch,
                    std::span<Contact> out) const = 0;
  /// Of it what is read at every sample: of wheels whether they touch, load, fx, fy, travel and angle. The
  /// rest may be anything.
  virtual void list_wheels(const GroundView& ground, const ContactMotion& motion,
                           const ContactScratch& scratch, std::span<Contact> out) const {
    list(ground, motion, scratch, out);
  }

  /// How far the lowest of its elements are below the ground, straight up [m]; negative: clear. For placing.
  virtual double sunk(const GroundView&, const ContactMotion&) const { return -1e300; }
};

/// Settings of one kind, read from `contact = { kind = ... }`.
struct ContactSettings {
  virtual ~ContactSettings() = default;
};

/// The kind and its settings, as a model file says them.
struct ContactChoice {
  std::string kind;
  std::shared_ptr<const ContactSettings> settings;  ///< null for kinds without keys of their own
};

/// A wheel or a body, placed on its link.
struct ContactElement {
  std::string name;
  int wheel = -1;  ///< index among the robot's wheels; -1: a body
  int link = 0;
  int rotor = -1;
  ContactChoice contact;
  // A wheel.
  Vec3 hub = Vec3::Zero();       ///< with the suspension unloaded, link axes [m]
  Mat3 axes = Mat3::Identity();  ///< columns: forward n, axle a (left), along the suspension b, link axes
  double radius = 0, width = 0;  ///< m
  double spin_inertia = 0;       ///< about the axle, without its drive [kg m^2]
  SuspensionSettings suspension;
  TyreSettings tyre;
  // A body: faces of its surface, and single points of it, link axes [m].
  std::vector<HullFace> faces;
  std::vector<Vec3> points;
  HullSettings hull;
};

/// What earlier groups tell later ones when a robot is put together: who writes where in Touch::seen.
struct SeenPlaces {
  struct Place {
    int link, pack, lane;
    Vec3 hub;
  };
  int packs = 0;
  std::vector<Place> wheels;
};

/// A number of a contact that one kind has besides those of every wheel.
struct ContactSignal {
  const char *name, *unit, *doc;
  double Contact::*value;
};

struct ContactKind {
  std::string name, doc;
  bool for_wheels = true;  ///< else for bodies
  /// Reads the kind's own keys (or records them for the reference), starting from what all wheels share
  /// (null: nothing); empty for kinds without keys.
  std::function<std::shared_ptr<const ContactSettings>(Section&, const ContactSettings* shared)> read;
  std::function<std::unique_ptr<ContactGroup>(std::span<const ContactElement>, SeenPlaces&)> make;
  bool suspended = false;   ///< wheels: they yield along a suspension of their own
  bool needs_soil = false;  ///< it asks GroundView::soils
  bool needs_grid = false;  ///< and GroundView::tiles
  std::vector<ContactSignal> signals = {};
};

/// All kinds; wheels' kinds are touched before those of bodies. To add one: its file, and its line in
/// contact_kinds.cpp.
const std::vector<ContactKind>& contact_kinds();

/// Whether wheels of a kind hang on a suspension of their own.
bool is_suspended(const std::string& kind);

const ContactKind& contact_kind(const std::string& name);

/// Reads `contact = { kind = "...", ... }` of a wheel or a body.
void describe_contact(Section& section, ContactChoice& choice, bool for_wheels);

/// The groups of a robot: its elements gathered by kind, in the order of contact_kinds().
struct ContactGroups {
  struct Entry {
    std::unique_ptr<const ContactGroup> group;
    int memory = 0;    ///< where its memory begins
    int contacts = 0;  ///< and its places in the flat list
  };
  std::vector<Entry> groups;
  int memory = 0, contacts = 0, seen = 0;  ///< in all
  std::vector<int> of_wheel;               ///< place of each wheel in the flat list
};
ContactGroups make_contact_groups(std::span<const ContactElement> elements);

// The kinds, each in a file of its own name.
ContactKind slices_kind();
ContactKind sectors_kind();
ContactKind columns_kind();
ContactKind axis_columns_kind();
ContactKind soil_kind();
ContactKind soil_grid_kind();

}  // namespace scree
