/// One wheel of 5 disks of 60 sectors that rolls under its share of the Kyoto rover's weight: contact, forces
/// and brushes, as a step has them. Argument: ground.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <vector>

#include "repeated.hpp"
#include "scree/config/section.hpp"
#include "scree/core/hash.hpp"
#include "scree/ground/contact.hpp"
#include "scree/terrain/make.hpp"

namespace scree {
namespace {

constexpr double kWheelLoad = 10.4;  // N
constexpr double kStep = 1e-3, kSpeed = 0.135;

struct BenchGround {
  const char *name, *text;
};
constexpr BenchGround kGrounds[] = {
    {"flat", "kind = \"flat\"\n"},
    {"brick",
     "kind = \"fbm\"\nsize = [1.0, 1.0]\ncells = [128, 128]\nhurst = 0.36\nsigma = 0.008\nseed = 7\n"},
    {"gravel",
     "kind = \"fbm\"\nsize = [1.0, 1.0]\ncells = [128, 128]\nhurst = 0.33\nsigma = 0.0035\nseed = 7\n"},
    {"rocks",
     "kind = \"rocks\"\nsampled = false\nsize = [2.0, 2.0]\ncover = 0.6\nsmallest = 0.03\n"
     "largest = 0.2\nseed = 3\n"},
    {"step", "kind = \"step\"\nstart = 0.15\nrise = 0.015\nedge = 0.001\n"},
    {"sines",
     "kind = \"function\"\nexpression = \"0.15*sin(2*pi*x/4)*cos(2*pi*y/6)\"\nsampled = true\n"
     "size = [50, 50]\ncells = [512, 512]\n"},
};

/// The wheel on a link of its own.
class BenchWheel {
 public:
  explicit BenchWheel(const Terrain& terrain) {
    ContactElement e;
    const Document document = Document::from_text("kind = \"sectors\"\ndisks = 5\nsectors = 60\n");
    Section section = document.root();
    describe_contact(section, e.contact, true);
    e.wheel = e.rotor = 0;
    e.radius = 0.045, e.width = 0.055;
    SeenPlaces places;
    group_ = contact_kind(e.contact.kind).make(std::span(&e, 1), places);
    scratch_ = group_->scratch();
    memory_.assign(static_cast<std::size_t>(group_->memory()), 0.0);
    seen_.resize(static_cast<std::size_t>(places.packs));
    answer_.setZero();
    ground_.terrain = &terrain;
  }

  /// Load along z at a place.
  double touch(const Pose& X) {
    link_ = {X, Vec6::Zero()};
    link_.V_WL_L.head<3>() = X.R.transpose() * Vec3(kSpeed, 0, 0);
    const Vec3& p = X.p;
    ground_.slope_bound = ground_.terrain->slope_bound({p.x() - 0.1, p.x() + 0.1, p.y() - 0.1, p.y() + 0.1});
    load_.apparent.setZero(), load_.wrench.setZero();
    rotor_ = {Vec6::Zero(), Vec6::Zero(), 0, 0};
    TouchReport report;
    Touch t{ground_, {std::span(&link_, 1), std::span(&spin_, 1)},
            step_,   {std::span(&load_, 1), std::span(&rotor_, 1)},
            seen_,   report};
    group_->touch(t, memory_.data(), *scratch_);
    return (X.R * load_.wrench.head<3>()).z();
  }
  void finish() {
    const double spin = 0;
    group_->finish({std::span(&link_, 1), std::span(&spin_, 1)}, step_,
                   ContactAnswer(&answer_, sizeof answer_, &spin), *scratch_, memory_.data());
  }
  /// Raised or lowered until it bears its load.
  Pose settled(Pose X) {
    double low = ground_.terrain->height(X.p.x(), X.p.y()) - 0.05, high = low + 0.25;
    for (int i = 0; i < 40; ++i) {
      X.p.z() = 0.5 * (low + high);
      std::fill(memory_.begin(), memory_.end(), 0.0);
      (touch(X) > kWheelLoad ? low : high) = X.p.z();
    }
    return X;
  }
  std::string hash() const { return hash_text(hash_bytes(&load_.wrench, sizeof load_.wrench)).substr(0, 4); }

 private:
  std::unique_ptr<ContactGroup> group_;
  std::unique_ptr<ContactScratch> scratch_;
  std::vector<double> memory_;
  std::vector<SeenGround> seen_;
  GroundView ground_;
  StageStep step_{kStep, 0.5, 0.5, 1};
  LinkMotion link_;
  LinkLoad load_;
  RotorLoad rotor_;
  Vec6 answer_;
  double spin_ = kSpeed / 0.045;
};

void sector_wheel(benchmark::State& state) {
  const BenchGround& ground = kGrounds[state.range(0)];
  const Document document = Document::from_text(ground.text);
  Section section = document.root();
  const auto terrain = make_terrain(section, {});
  BenchWheel wheel(*terrain);
  // 0.6 s of rolling, forth and back, rolled and turned a little.
  std::vector<Pose> way;
  const Mat3 R = rotation_from_rpy(0.05, -0.03, 0.2);
  for (int i = 0; i < 600; ++i) way.push_back(wheel.settled({R, Vec3(0.1 + i * kSpeed * kStep, 0.05, 0)}));
  for (int i = 598; i > 0; --i) way.push_back(way[i]);
  std::size_t at = 0;
  double sum = 0;
  for (auto _ : state) {
    at = at + 1 < way.size() ? at + 1 : 0;
    sum += wheel.touch(way[at]);
    wheel.finish();
  }
  benchmark::DoNotOptimize(sum);
  for (const Pose& X : way) wheel.touch(X);
  state.SetLabel(fmt::format("{}, wrench {}", ground.name, wheel.hash()));
}
BENCHMARK(sector_wheel)->DenseRange(0, std::size(kGrounds) - 1)->MinTime(0.05)->Apply(repeated);

}  // namespace
}  // namespace scree
