/// Parts of bodies that are clear of a grid stay so for as far as they may move, and that is not little.
#include "scree/ground/hull_room.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "body_bench.hpp"
#include "scree/core/random.hpp"
#include "upright_grounds.hpp"

namespace scree {
namespace {

using namespace scree::testing;

Vec3 any_way(RandomStream& random) {
  return Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
}

/// A motion in which none of these points moves farther than `room`, and one as far.
Pose moved_by(const Pose& X, const std::vector<Vec3>& points, double room, RandomStream& random) {
  const Vec3 axis = any_way(random), way = any_way(random);
  const double turn = random.uniform(-1, 1) * random.uniform(0, 1), share = random.uniform(0, 1);
  double scale = 2 * room;
  for (int i = 0; i < 60; ++i) {
    const Pose to{X.R * rotation_about(axis, turn * scale), X.p + share * scale * way};
    double most = 0;
    for (const Vec3& p : points) most = std::max(most, (to * p - X * p).norm());
    if (most <= room) return to;
    scale *= std::min(0.999, room / most);
  }
  return X;
}

/// The highest that any of a face's points is below the ground.
double deepest(const Terrain& terrain, const HullFace& f, const Pose& X) {
  double most = -1e300;
  const int n = 12;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= (f.triangle ? n - i : n); ++j) {
      const Vec3 p = X * Vec3(f.corner + f.u * (1.0 / n * i) + f.v * (1.0 / n * j));
      most = std::max(most, terrain.height(p.x(), p.y()) - p.z());
    }
  return most;
}

TEST(HullRoom, AFaceMeetsNothingWithinItsRoom) {
  for (const auto& terrain : upright_grounds()) {
    RandomStream random(5, 0, "faces");
    const GridView& grid = *terrain->bilinear_view();
    int clear = 0, close = 0;
    for (int i = 0; i < 4000; ++i) {
      HullFace f{0.3 * any_way(random), random.uniform(0.02, 0.3) * any_way(random),
                 random.uniform(0.02, 0.3) * any_way(random), i % 2 == 0};
      Vec3 normal = f.u.cross(f.v).normalized();
      if (i % 11 == 0) f.u = f.v = normal = Vec3::Zero();  // a point
      Pose X = standing(0, random.uniform(-3, 3), random.uniform(-1.5, 1.5), random.uniform(-3, 3),
                        random.uniform(-1, 1), random.uniform(-1, 1));
      X.p.z() += deepest(*terrain, f, X) + 0.04 * random.uniform(0, 1) * random.uniform(0, 1);
      const double most = i % 3 == 0 ? 0.05 : 0.01, room = face_room(grid, f, normal, X, most);
      EXPECT_LE(room, most);
      if (!(room > 0)) continue;
      (room < most ? close : clear) += 1;
      std::vector<Vec3> points = corners_of(f);
      for (int k = 0; k < 20; ++k)
        EXPECT_LT(deepest(*terrain, f, moved_by(X, points, room, random)), 0) << i << " room " << room;
    }
    EXPECT_GT(clear, 200);
    EXPECT_GT(close, 200);
  }
}

TEST(HullRoom, ABoxMeetsNothingWithinItsRoomHoweverItLies) {
  for (const auto& terrain : upright_grounds()) {
    RandomStream random(6, 0, "boxes");
    const GridView& grid = *terrain->bilinear_view();
    int clear = 0, close = 0;
    for (int i = 0; i < 1500; ++i) {
      const Vec3 centre = 0.2 * any_way(random),
                 half(random.uniform(0.02, 0.3), random.uniform(0.02, 0.2), random.uniform(0.02, 0.1));
      const std::vector<HullFace> faces = box_faces(centre - half, centre + half);
      Pose X = standing(0, random.uniform(-3, 3), random.uniform(-1.5, 1.5), random.uniform(-3, 3),
                        random.uniform(-1, 1), random.uniform(-1, 1));
      double sunk = -1e300;
      for (const HullFace& f : faces) sunk = std::max(sunk, deepest(*terrain, f, X));
      X.p.z() += sunk + 0.15 * random.uniform(0, 1);
      const double most = i % 3 == 0 ? 0.05 : 0.01, room = box_room(grid, centre, half, X, most);
      EXPECT_LE(room, most);
      if (!(room > 0)) continue;
      (room < most ? close : clear) += 1;
      std::vector<Vec3> points;
      for (const HullFace& f : faces)
        for (const Vec3& p : corners_of(f)) points.push_back(p);
      for (int k = 0; k < 10; ++k) {
        const Pose to = moved_by(X, points, room, random);
        for (const HullFace& f : faces) EXPECT_LT(deepest(*terrain, f, to), 0) << i << " room " << room;
      }
    }
    EXPECT_GT(clear, 100);
    EXPECT_GT(close, 50);
  }
}

/// Above a plane the room is the distance from it.
TEST(HullRoom, OverAPlaneItIsTheDistance) {
  HeightField field = make_field(GridGeometry::spanning(81, 81, {-2, 2, -2, 2}), "slope");
  for (int j = 0; j < 81; ++j)
    for (int i = 0; i < 81; ++i) field.at(i, j) = 0.5f * 0.05f * static_cast<float>(i);
  const Grid grid(std::move(field));
  const Vec3 n = grid.at(0, 0).normal();
  const Pose X{rotation_between(Vec3::UnitZ(), n), Vec3(0, 0, grid.height(0, 0)) + 0.12 * n};
  EXPECT_NEAR(box_room(grid.view(), Vec3::Zero(), kHalf, X, 0.05), 0.02, 1e-6);
  for (const HullFace& f : box()) {
    const Vec3 normal = f.u.cross(f.v).normalized();
    if (normal.z() < -0.9) {
      EXPECT_NEAR(face_room(grid.view(), f, normal, X, 0.05), 0.02, 1e-6);
    }
  }
}

/// Driving, turning and rolling over little by little among rocks and blocks: the forces of a body that keeps
/// what it saw are those of one that looks at everything in every step, to the last bit.
TEST(HullRoom, WhatABodyKeepsChangesNoForce) {
  for (const auto& terrain : upright_grounds()) {
    RandomStream random(7, 0, "walks");
    int touched = 0, clear = 0;
    for (int walk = 0; walk < 60; ++walk) {
      BodyBench kept(box()), fresh(box());
      Pose X = standing(1, 0, 0, random.uniform(-3, 3), random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8));
      kept.at(*terrain, X);
      X.p.z() += kept.sunk + random.uniform(0.0, 0.02);
      const Vec3 axis = any_way(random);
      // One in three only turns, one in three only moves on.
      const double turn = walk % 3 == 0 ? 0 : random.uniform(0.001, 0.02),
                   way = walk % 3 == 1 ? 0 : random.uniform(0.0005, 0.006);
      Vec3 heading = any_way(random);
      heading.z() *= 0.1;
      for (int i = 0; i < 150; ++i) {
        fresh.scratch = fresh.group->scratch();
        EXPECT_EQ(kept.at(*terrain, X), fresh.at(*terrain, X)) << "walk " << walk << " pose " << i;
        EXPECT_EQ(kept.report.body, fresh.report.body) << "walk " << walk << " pose " << i;
        (fresh.report.body ? touched : clear) += 1;
        // What has sunk in is lifted, what floats sinks: it stays near the ground.
        const double lift = std::clamp(fresh.sunk + random.uniform(-0.004, 0.012), -0.002, 0.002);
        X = {X.R * rotation_about(axis, turn), X.p + way * heading + lift * Vec3::UnitZ()};
      }
    }
    EXPECT_GT(touched, 500);
    EXPECT_GT(clear, 500);
  }
}

/// A body that is smaller than the room it may have turns over within it: faces that looked up are felt when
/// they look down.
TEST(HullRoom, ASmallBodyThatRollsIsFeltOnEverySide) {
  const Vec3 half(0.02, 0.015, 0.012);
  for (const auto& terrain : upright_grounds()) {
    RandomStream random(8, 0, "rolls");
    int touched = 0;
    for (int walk = 0; walk < 60; ++walk) {
      BodyBench kept(box_faces(-half, half)), fresh(box_faces(-half, half));
      Pose X = standing(1, 0, 0, random.uniform(-3, 3), random.uniform(-0.8, 0.8), random.uniform(-0.8, 0.8));
      kept.at(*terrain, X);
      X.p.z() += kept.sunk - random.uniform(0.002, 0.01);
      const Vec3 axis = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0).normalized();
      for (int i = 0; i < 60; ++i) {
        fresh.scratch = fresh.group->scratch();
        EXPECT_EQ(kept.at(*terrain, X), fresh.at(*terrain, X)) << "walk " << walk << " pose " << i;
        touched += fresh.report.body;
        X.R = rotation_about(axis, 0.1) * X.R;
      }
    }
    EXPECT_GT(touched, 1000);
  }
}

}  // namespace
}  // namespace scree
