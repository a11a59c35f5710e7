#pragma once
/// One wheel of any kind on one link with one rotor, led by hand: its forces, and what it tells the step.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/ground/contact.hpp"

namespace scree::testing {

inline const Vec3 kLedHub(0.3, 0.2, -0.1);

class LedWheel {
 public:
  using Vec7 = Eigen::Matrix<double, 7, 1>;
  using Mat7 = Eigen::Matrix<double, 7, 7>;

  /// `contact`: as in a model file, `kind = ...` and the kind's own keys. `adjust` sets what else it has.
  LedWheel(const std::string& contact, double radius, double width, const Terrain& terrain,
           const std::function<void(ContactElement&)>& adjust = {}) {
    ContactElement e;
    const Document document = Document::from_text(contact);
    Section section = document.root();
    describe_contact(section, e.contact, true);
    e.name = "wheel", e.wheel = 0, e.link = 0, e.rotor = 0;
    e.hub = kLedHub, e.radius = radius, e.width = width;
    if (adjust) adjust(e);
    SeenPlaces places;
    group_ = contact_kind(e.contact.kind).make(std::span(&e, 1), places);
    seen_.resize(static_cast<std::size_t>(places.packs));
    memory.assign(static_cast<std::size_t>(group_->memory()), 0.0);
    scratch_ = group_->scratch();
    view.terrain = &terrain;
  }

  struct Answer {
    LinkLoad link;
    RotorLoad rotor;
    /// Both in one: the link's six coordinates and the spin.
    Mat7 apparent() const {
      Mat7 out;
      out << link.apparent, rotor.column, rotor.row.transpose(), rotor.apparent;
      return out;
    }
    Vec7 forces() const {
      Vec7 out;
      out << link.wrench, rotor.torque;
      return out;
    }
  };
  Answer touch(const LinkMotion& link, double spin) {
    Answer out;
    out.link.apparent.setZero(), out.link.wrench.setZero();
    out.rotor.column.setZero(), out.rotor.row.setZero();
    out.rotor.torque = out.rotor.apparent = 0;
    const ContactMotion motion{std::span(&link, 1), std::span(&spin, 1)};
    const Vec3& p = link.X_WL.p;
    view.slope_bound = view.terrain->slope_bound({p.x() - 1, p.x() + 1, p.y() - 1, p.y() + 1});
    report_ = {};
    Touch t{view, motion, step, {std::span(&out.link, 1), std::span(&out.rotor, 1)}, seen_, report_};
    group_->touch(t, memory.data(), *scratch_);
    return out;
  }
  /// The forces' fall with the speeds, by differences.
  Mat7 fall(const LinkMotion& link, double spin) {
    const double speed = 1e-6;
    Mat7 out;
    for (int k = 0; k < 7; ++k) {
      LinkMotion up = link, down = link;
      double spin_up = spin, spin_down = spin;
      if (k < 6) {
        up.V_WL_L[k] += speed, down.V_WL_L[k] -= speed;
      } else {
        spin_up += speed, spin_down -= speed;
      }
      out.col(k) = (touch(down, spin_down).forces() - touch(up, spin_up).forces()) / (2 * speed);
    }
    return out;
  }
  /// What the last touch leaves at the end of a step without acceleration.
  void finish(const LinkMotion& link, double spin) {
    const Vec6 still = Vec6::Zero();
    const double none = 0;
    const ContactMotion motion{std::span(&link, 1), std::span(&spin, 1)};
    group_->finish(motion, step, {&still, sizeof still, &none}, *scratch_, memory.data());
  }
  void press(SoilTiles& tiles) { group_->press(view, tiles, *scratch_, memory.data()); }

  StageStep step{1e-3, 0.5, 0.5, 1};
  GroundView view;
  std::vector<double> memory;

 private:
  TouchReport report_;
  std::unique_ptr<ContactGroup> group_;
  std::unique_ptr<ContactScratch> scratch_;
  std::vector<SeenGround> seen_;
};

}  // namespace scree::testing
