#include <gtest/gtest.h>

#include "scree/config/section.hpp"
#include "scree/core/errors.hpp"
#include "scree/robot/model.hpp"

namespace scree {
namespace {

std::string message_of(const std::vector<std::string>& overrides) {
  try {
    RobotModel model(read_robot("vivi", ".", overrides));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Robot, CentreOfMassIsPlacedByTheSixLengths) {
  const RobotModel even(read_robot("vivi", "."));
  const RobotModel shifted(read_robot(
      "vivi", ".", {"chassis.l1=0.40", "chassis.l2=0.32", "chassis.h_top=0.05", "chassis.h_base=0.13"}));
  // The box and the wheels stay; the centre of mass moves 4 cm forward and 4 cm up.
  EXPECT_NEAR(shifted.wheels()[0].hub.x(), even.wheels()[0].hub.x() - 0.04, 1e-12);
  EXPECT_NEAR(shifted.wheels()[0].hub.z(), even.wheels()[0].hub.z() - 0.04, 1e-12);
}

TEST(Robot, WheelsArePackedByFours) {
  const RobotModel hexa(read_robot("hexa", "."));
  ASSERT_EQ(hexa.contacts().groups.size(), 2u);  // wheels and body
  EXPECT_EQ(hexa.contacts().groups[0].group->contacts(), 6);
  EXPECT_EQ(hexa.contacts().groups[0].group->memory(), 2 * 8 * kLanes);  // two packs of four lanes
  EXPECT_EQ(hexa.contacts().of_wheel, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST(Robot, BadInputSaysWhatIsWrong) {
  EXPECT_NE(message_of({"wheel.radius=0"}).find("radius"), std::string::npos);
  // Millimetres for metres: said, not covered with columns for seconds.
  EXPECT_NE(message_of({"hull={body=[{points=[[-400,-200,-100],[400,-200,-100],[0,200,-100],[0,0,100]]}]}"})
                .find("numbers are metres"),
            std::string::npos);
  EXPECT_NE(message_of({"chassis.mass=-3"}).find("mass"), std::string::npos);
  EXPECT_NE(message_of({"chassis.mass=nan"}).find("mass"), std::string::npos);
  EXPECT_NE(message_of({"chassis.inertia=[1.0,1.0,9.0]"}).find("inertia"), std::string::npos);
  EXPECT_NE(message_of({"chassis.lenght=1"}).find("lenght"), std::string::npos);
  EXPECT_NE(message_of({"wheel.suspension.stiffnes=1"}).find("stiffness"), std::string::npos);
  EXPECT_NE(message_of({"wheel.width=\"wide\""}).find("width"), std::string::npos);
  EXPECT_NE(message_of({"wheel.tyre.kind=\"sticky\""}).find("sticky"), std::string::npos);
}

TEST(Robot, UnknownModelNamesTheNearest) {
  try {
    read_robot("vivy", ".");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("vivi"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace scree
