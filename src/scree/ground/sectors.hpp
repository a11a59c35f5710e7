#pragma once
/// A wheel as disks of sectors: what the ground presses into each, and the forces that follow.
///
/// Yokokohji 2002 Sec. 4.1, Eqs. 9-11 with erratum 001-11. A wheel of radius R and width w is cut into N
/// disks of width d = w/N, and each disk into M sectors of angle phi. Along a sector's middle line, from the
/// axle outward in direction e, the ground begins at the distance R_m; the volume that it takes away from the
/// sector and the deformation are
///
///     V = (R² - R_m²) phi d/2,    h = V/(R phi d) = (R² - R_m²)/(2 R)                    (9, 10)
///     f = (K h + D h') (d/w)(phi/phi_ref),  phi_ref = 10 degrees                         (11, erratum)
///
/// so that stiffness does not depend on N and M.
///
/// Edges. R_m is meant as the mean over a sector. Its middle line has it where the ground is as smooth as a
/// sector is wide; an edge between two lines is not felt before it is half their distance deep, and a stiff
/// wheel of 60 sectors met steps as a gear would (it climbed a third of what statics allow). Between lines
/// where the ground is steeper than 5 and has features finer than their distance there are therefore further
/// ones, as many as 720 around the disk, which share those halves of the two sectors.
///
/// Direction. The paper's force points along -e, in the wheel's plane, although lifting the wheel out of a
/// slope that tilts across it, or off the flank of a stone, shrinks h as well. What the stored energy K h²/2
/// gives back is a force along the ground's normal g (unit):
///
///     -d/dx (K h²/2) = K h (R_m/R) g/|g.e|
///
/// which on level ground is the paper's but for terms of the square of the sector's angle to the normal.
/// Forces here point along g with the weight (R_m/R)/|g.e|, so a wheel without damping and friction keeps its
/// energy on any ground; |g.e| is kept above kLeastFacing. Sections. Neighbouring sectors of a disk that
/// press form one contact section with load N = |sum f|, normal sum f/N (its part in the wheel's plane turned
/// to the axle: the integral's points there, a sum of few sectors does not), and its own slip forces
/// (gim_nikravesh.hpp) in its tangent plane: t along the rim, s to the left. A disk may have several: floor
/// and wall, two stones.
/// Damper. It belongs to the section: with h' of each sector for a motion along the section's normal n it
/// adds -D sum (h'/v_n)² v_n to N, v_n the velocity of the section along n, and never pulls. Dampers of
/// single sectors, each moved along its own g but summed along n, gave energy at landings on edges (3.6 J of
/// a fall of 2 J).
#include <type_traits>
#include <vector>

#include "scree/core/lanes.hpp"
#include "scree/core/types.hpp"
#include "scree/ground/clear_room.hpp"
#include "scree/ground/gim_nikravesh.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

struct SectorWheel {
  double radius = 0.045;    ///< R [m]
  double width = 0.055;     ///< w [m]
  int disks = 5;            ///< N
  int sectors = 60;         ///< M, around the whole disk
  double stiffness = 3000;  ///< K_v [N/m] per phi_ref of the full width
  double damping = 200;     ///< D_v [N s/m] likewise
  SlipStiffness slip;
};

/// A wheel in the world; its carrier moves, its spin is apart.
struct SectorPose {
  Vec3 centre;            ///< m
  Vec3 n, a, b;           ///< unit: forward, axle (left), up
  Vec3 v = Vec3::Zero();  ///< velocity of the centre [m/s]
  Vec3 w = Vec3::Zero();  ///< angular velocity of what carries the wheel [rad/s]
  double spin = 0;        ///< about the axle, relative to it, forward positive [rad/s]
};

/// One contact section of one disk.
struct ContactSection {
  int disk = 0;
  Vec3 point;                         ///< load's centre on the ground, world [m]
  Vec3 normal;                        ///< unit
  double load = 0;                    ///< N
  double depth = 0;                   ///< largest deformation h [m]
  double stiffness = 0, damping = 0;  ///< of the load along the normal [N/m, N s/m]
};

/// Four of them side by side. One that does not press (its damper would pull) has no load and no stiffness.
struct SectionPack {
  int disk[kLanes];
  V3<Lanes> arm;  ///< of the load's centre, from the wheel's, world [m]
  V3<Lanes> normal;
  Lanes load, depth, stiffness, damping;
};

inline constexpr int kMostSections = 128;  ///< of a wheel; more are left out

struct SectorContact {
  int count = 0;  ///< sections; of the last pack others do not press
  Vec3 centre;    ///< of the wheel, world [m]
  SectionPack pack[kMostSections / kLanes];
  int packs() const { return (count + kLanes - 1) / kLanes; }
  ContactSection section(int k) const;
};

/// The middle lines of a disk's sectors, from the top all the way round: sines and cosines of their angles
/// from straight down, forward positive; filled up to a multiple of four.
struct SectorLines {
  explicit SectorLines(int sectors);
  int count = 0;
  std::vector<double> sine, cosine;
  int parts = 0;  ///< rays between two of them where the ground has an edge; 0: they are close enough
  std::vector<double> sine_between, cosine_between;
};

/// How far a wheel may move before its sectors can touch, disk by disk and four by four.
class SectorRoom : public ClearRoom {
 public:
  explicit SectorRoom(const SectorWheel& wheel);
  /// Before every look: where the wheel is now.
  void move(const Terrain& terrain, double slope_bound, const SectorWheel& wheel, const SectorPose& pose);

 private:
  Vec3 centre_ = Vec3::Zero(), n_ = Vec3::Zero(), a_ = Vec3::Zero(), b_ = Vec3::Zero();
};

/// Where and how hard the ground presses.
void press_sectors(const Terrain& terrain, const SectorWheel& wheel, const SectorLines& lines,
                   const SectorPose& pose, SectorContact& out);
/// The same with fewer looks, where the wheel was seen before; `room` has been moved here.
void press_sectors(const Terrain& terrain, const SectorWheel& wheel, const SectorLines& lines,
                   const SectorPose& pose, SectorRoom& room, SectorContact& out);

/// Speeds of a section: hub along its tangent, rim, and to the left in its tangent plane.
template <class T>
struct SectionMotion {
  V3<T> tangent, side;
  T hub_speed{}, rim_speed{}, side_speed{};  ///< m/s
};

/// One vector for all.
template <class T>
inline V3<T> spread(const Vec3& v) {
  if constexpr (std::is_same_v<T, double>)
    return {v.x(), v.y(), v.z()};
  else
    return {lane::lanes(v.x()), lane::lanes(v.y()), lane::lanes(v.z())};
}

/// `arm` from the wheel's centre; all in the axes of `pose`.
template <class T>
inline SectionMotion<T> section_motion(const SectorWheel& w, const SectorPose& pose, const V3<T>& normal,
                                       const V3<T>& arm) {
  using namespace lane;
  SectionMotion<T> m;
  const V3<T> t = cross(spread<T>(pose.a), normal), forward = spread<T>(pose.n);
  const T size = sqrt(dot(t, t));
  // A wheel that lies flat on its side rolls nowhere.
  const auto rolls = size > constant<T>(1e-6);
  const T per = 1.0 / select(rolls, size, constant<T>(1.0));
  m.tangent = {select(rolls, per * t.x, forward.x), select(rolls, per * t.y, forward.y),
               select(rolls, per * t.z, forward.z)};
  m.side = cross(normal, m.tangent);
  const V3<T> v = spread<T>(pose.v) + cross(spread<T>(pose.w), arm);
  // The carrier's own turning about the axle is part of the rim's speed, not of the hub's.
  const double turning = w.radius * pose.w.dot(pose.a);
  m.rim_speed = constant<T>(w.radius * pose.spin + turning);
  m.hub_speed = dot(m.tangent, v) + turning;
  m.side_speed = dot(m.side, v);
  return m;
}

/// Force, moment about the centre and torque on the spin, all sections together, with slips of this instant.
struct SectorWrench {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  ///< on the carrier, world [N, N m]
  double spin_torque = 0;                            ///< about the axle, on the rotor [N m]
  double load = 0;
};
SectorWrench sector_wrench(const SectorWheel& wheel, const SectorPose& pose, const SectorContact& contact);

}  // namespace scree
