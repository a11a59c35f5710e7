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
#include <vector>

#include "scree/core/types.hpp"
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

inline constexpr int kMostSections = 64;  ///< of a wheel; more are added to the last

struct SectorContact {
  int count = 0;
  ContactSection section[kMostSections];
};

/// The middle lines of a disk's sectors, from the top all the way round: sines and cosines of their angles
/// from straight down, forward positive; filled up to a multiple of four.
struct SectorLines {
  explicit SectorLines(int sectors);
  int count = 0;
  std::vector<double> sine, cosine;
};

/// Where and how hard the ground presses. Nothing is remembered.
void press_sectors(const Terrain& terrain, const SectorWheel& wheel, const SectorLines& lines,
                   const SectorPose& pose, SectorContact& out);

/// Speeds of a section: hub along its tangent, rim, and to the left in its tangent plane.
struct SectionMotion {
  Vec3 tangent, side;
  double hub_speed = 0, rim_speed = 0, side_speed = 0;  ///< m/s
};
SectionMotion section_motion(const SectorWheel& wheel, const SectorPose& pose, const ContactSection& section);

/// Force, moment about the centre and torque on the spin, all sections together, with slips of this instant.
struct SectorWrench {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();  ///< on the carrier, world [N, N m]
  double spin_torque = 0;                            ///< about the axle, on the rotor [N m]
  double load = 0;
};
SectorWrench sector_wrench(const SectorWheel& wheel, const SectorPose& pose, const SectorContact& contact);

}  // namespace scree
