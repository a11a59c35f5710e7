#pragma once
/// Bodies whose columns are gathered in patches: what every kind of column shares (friction of the patches,
/// their bristles in the state, the list of contacts, soil that deforms). A kind adds how its columns press.
#include <algorithm>
#include <span>
#include <vector>

#include "scree/core/lanes.hpp"
#include "scree/ground/clear_room.hpp"
#include "scree/ground/contact.hpp"
#include "scree/ground/hull_soil.hpp"

namespace scree {

/// What the columns of a patch came to.
struct PatchState {
  Vec3 force = Vec3::Zero();        ///< sum of their forces, link axes [N]
  Vec3 point = Vec3::Zero();        ///< sum of load times place, then the centre of load, link axes [m]
  double pushes = 0;                ///< sum of their loads [N]
  double depth = 0;                 ///< of the deepest [m]
  Vec3 slick = Vec3::Zero();        ///< sum of forces that bring no friction, link axes [N],
  Vec3 slick_point = Vec3::Zero();  ///< and of their size times place
  double strength = 0;              ///< soil: the most that it can shear [N]
  PatchPress press;
  Grip grip;
};

/// A body and its patches.
struct PatchOwner {
  int link = 0;
  HullSettings hull;
  int first = 0, count = 0;  ///< patches
  double reach = 0;          ///< of its farthest point from the link's origin [m]
};

/// Where a body stood with nothing near it: not to be looked at again until it has moved.
struct ClearPlace {
  const Terrain* terrain = nullptr;
  double slope_bound = 0;  ///< of the ground near it then
  double room = 0;         ///< m that every point of it may move from there before one can touch; 0: unknown
  Pose X;
};

/// How far a body may move before its columns can touch, four by four.
class ColumnRoom {
 public:
  explicit ColumnRoom(int fours) : room_(1, fours) {}
  /// Before every look: where the body is now, how far its farthest point is from the link's origin [m], and
  /// how its columns are divided.
  void move(const GroundView& ground, const Pose& X, double reach, double pitch);
  bool enough(int four) const { return room_.enough(0, four); }
  void set(int four, double height) { room_.set(0, four, height); }
  /// How far it may still move [m]; and where that is known already.
  double left(int four) const { return room_.left(0, four); }
  void set_way(int four, double way) { room_.set_way(0, four, way); }
  /// The least that is left to the first `count`.
  double least_left(int count) const { return room_.least_left(0, count); }

 private:
  ClearRoom room_;
  Pose X_;
};

struct PatchScratch : ContactScratch {
  PatchScratch(std::size_t bodies, std::size_t patches) : below(bodies), patch(patches), clear(bodies) {}
  bool near = false;        ///< some column of some body is below the ground
  std::vector<char> below;  ///< per body: of this one; else its patches were not computed
  std::vector<PatchState> patch;
  std::vector<ClearPlace> clear;  ///< per body
  ClearPlace all;                 ///< for all of them, where they are on one link
  std::vector<SoilPress> soil;    ///< per body, on soil that deforms
  std::vector<ColumnRoom> room;   ///< per body
};

class PatchedBodies : public ContactGroup {
 public:
  int memory() const override { return 3 * static_cast<int>(patches_.size()); }
  int contacts() const override { return static_cast<int>(patches_.size()); }
  std::unique_ptr<ContactScratch> scratch() const override {
    auto s = std::make_unique<PatchScratch>(owners_.size(), patches_.size());
    for (std::size_t b = 0; b < owners_.size(); ++b) s->room.emplace_back(most_fours(static_cast<int>(b)));
    return s;
  }
  void touch(Touch& touch, const double* memory, ContactScratch& scratch) const override;
  void finish(const ContactMotion& motion, const StageStep& step, const ContactAnswer& answer,
              ContactScratch& scratch, double* memory) const override;
  void rates(const ContactScratch& scratch, const double* memory, double* rates) const override;
  void settle(const ContactScratch&, double*) const override {}
  void press(const GroundView& ground, SoilTiles& tiles, ContactScratch& scratch,
             double* memory) const override;
  void list(const GroundView& ground, const ContactMotion& motion, const ContactScratch& scratch,
            std::span<Contact> out) const override;
  void list_wheels(const GroundView&, const ContactMotion&, const ContactScratch&,
                   std::span<Contact>) const override {}

 protected:
  /// All columns of a body: adds their forces to the link's load and to the patches, which are zero before.
  /// Whether any is below the ground; where none is, `room` may say how far the body can move before one is.
  /// `soil`: it deforms, and press_soil() has the law; null: it does not.
  virtual bool press(int body, const Touch& touch, SoilPress* soil, std::span<PatchState> patches,
                     double& room, ColumnRoom& columns) const = 0;
  /// Fours of columns that a body has at most, of a kind that uses its ColumnRoom.
  virtual int most_fours(int /*body*/) const { return 0; }

  [[gnu::noinline]] void touch_bodies(Touch& touch, const double* memory, PatchScratch& scratch) const;
  [[gnu::noinline]] void touch_body(int body, Touch& touch, const double* memory, SoilPress* soil,
                                    PatchScratch& scratch) const;

  void add_owner(const PatchOwner& body) {
    one_link_ = one_link_ && (owners_.empty() || owners_[0].link == body.link);
    reach_ = std::max(reach_, body.reach);
    owners_.push_back(body);
  }

  std::vector<PatchOwner> owners_;  ///< bodies
  std::vector<int> patches_;        ///< whose each is, body by body
  std::vector<SoilShape> shapes_;   ///< of the bodies

 private:
  bool one_link_ = true;  ///< all bodies are on one
  double reach_ = 0;      ///< of the farthest point of all from it [m]
};

/// The ground beneath a box with this middle and these half sides, link axes; and how far the box is above
/// all of it [m].
Rectangle ground_under(const Pose& X, const Vec3& centre, const Vec3& half);
double height_above(const Terrain& terrain, const Pose& X, const Vec3& centre, const Vec3& half);

/// Four points of a link in the world.
inline lane::V3<lane::Lanes> column_place(const Pose& X, const lane::V3<lane::Lanes>& p) {
  const auto row = [&](int i) { return X.p[i] + X.R(i, 0) * p.x + X.R(i, 1) * p.y + X.R(i, 2) * p.z; };
  return {row(0), row(1), row(2)};
}

inline constexpr double kFinestPitch = 0.01;  ///< m: columns are no closer, however fine the ground
/// Distance between columns on ground whose finest feature is this [m].
double column_pitch(double finest);

}  // namespace scree
