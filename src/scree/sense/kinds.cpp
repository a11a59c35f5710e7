/// The kinds of sensors. Frames: W world, L the link that carries the sensor, S the sensor's own axes.
#include "scree/sense/sensor.hpp"

namespace scree {
namespace {

using On = SensorKind::On;

void put(const Vec3& v, double* out) { out[0] = v.x(), out[1] = v.y(), out[2] = v.z(); }
Vec3 take(const double* v) { return {v[0], v[1], v[2]}; }

Vec3 in_sensor(const SensorSite& site, const Vec3& v_L) { return site.X_LS.R.transpose() * v_L; }

/// a_S - g = f_L + alpha x p + w x (w x p)
void read_accelerometer(const RobotTruth& t, const SensorSite& site, int, double* out) {
  const LinkTruth& link = t.links[static_cast<std::size_t>(site.link)];
  const Vec3& p = site.X_LS.p;
  put(in_sensor(site, link.specific_force_L + link.alpha_L.cross(p) + link.w_L.cross(link.w_L.cross(p))),
      out);
}

void read_gyro(const RobotTruth& t, const SensorSite& site, int, double* out) {
  put(in_sensor(site, t.links[static_cast<std::size_t>(site.link)].w_L), out);
}

void read_attitude(const RobotTruth& t, const SensorSite& site, int, double* out) {
  const Mat3 R_WS = t.links[static_cast<std::size_t>(site.link)].X_WL.R * site.X_LS.R;
  const RollPitchYaw rpy = rpy_from_rotation(R_WS);
  out[0] = rpy.roll, out[1] = rpy.pitch, out[2] = rpy.yaw;
}

void read_heading(const RobotTruth& t, const SensorSite& site, int, double* out) {
  out[0] = rpy_from_rotation(t.links[static_cast<std::size_t>(site.link)].X_WL.R * site.X_LS.R).yaw;
}

void read_position(const RobotTruth& t, const SensorSite& site, int, double* out) {
  put(t.links[static_cast<std::size_t>(site.link)].X_WL * site.X_LS.p, out);
}

void read_speed(const RobotTruth& t, const SensorSite& site, int, double* out) {
  const LinkTruth& link = t.links[static_cast<std::size_t>(site.link)];
  put(in_sensor(site, link.v_L + link.w_L.cross(site.X_LS.p)), out);
}

void read_battery(const RobotTruth& t, const SensorSite&, int, double* out) {
  out[0] = t.battery.voltage, out[1] = t.battery.current;
}

void read_joint(const RobotTruth& t, const SensorSite&, int i, double* out) {
  const JointTruth& joint = t.joints[static_cast<std::size_t>(i)];
  out[0] = joint.position, out[1] = joint.rate;
}

const WheelTruth& wheel(const RobotTruth& t, int i) { return t.wheels[static_cast<std::size_t>(i)]; }
WheelReading& wheel(std::span<WheelReading> wheels, int i) { return wheels[static_cast<std::size_t>(i)]; }

using Wheels = std::span<WheelReading>;

}  // namespace

const std::vector<SensorKind>& sensor_kinds() {
  static const std::vector<SensorKind> all = {
      {"accelerometer",
       "specific force: acceleration less gravity, in its own axes",
       On::link,
       {{"x", "m/s^2", "specific force along its x"},
        {"y", "m/s^2", "specific force along its y"},
        {"z", "m/s^2", "specific force along its z"}},
       read_accelerometer,
       [](const double* v, int, Readings& r, Wheels) { r.specific_force = take(v); }},
      {"attitude",
       "roll, pitch and yaw of its axes",
       On::link,
       {{"roll", "rad", "right side down positive"},
        {"pitch", "rad", "nose up positive"},
        {"yaw", "rad", "left positive"}},
       read_attitude,
       [](const double* v, int, Readings& r, Wheels) { r.roll = v[0], r.pitch = v[1], r.yaw = v[2]; }},
      {"battery",
       "voltage and current of the battery",
       On::robot,
       {{"voltage", "V", "at the terminals"}, {"current", "A", "out of the battery"}},
       read_battery,
       [](const double* v, int, Readings& r, Wheels) { r.battery.voltage = v[0], r.battery.current = v[1]; }},
      {"contact_angle",
       "where on the rim wheels touch the ground",
       On::wheels,
       {{"angle", "rad", "of the contact point on the rim, ahead of the hub positive"}},
       [](const RobotTruth& t, const SensorSite&, int i, double* out) { out[0] = wheel(t, i).contact_angle; },
       [](const double* v, int i, Readings&, Wheels w) { wheel(w, i).contact_angle = v[0]; }},
      {"encoder",
       "spin and angle of wheels against the links that carry them",
       On::wheels,
       {{"spin", "rad/s", "forward positive"}, {"angle", "rad", "turned since the start"}},
       [](const RobotTruth& t, const SensorSite&, int i, double* out) {
         out[0] = wheel(t, i).spin, out[1] = wheel(t, i).angle;
       },
       [](const double* v, int i, Readings&, Wheels w) {
         wheel(w, i).spin = v[0], wheel(w, i).angle = v[1];
       }},
      {"gyro",
       "angular velocity in its own axes",
       On::link,
       {{"x", "rad/s", "about its x"}, {"y", "rad/s", "about its y"}, {"z", "rad/s", "about its z"}},
       read_gyro,
       [](const double* v, int, Readings& r, Wheels) { r.gyro = take(v); }},
      {"heading",
       "yaw of its axes, as a compass or two antennas tell it",
       On::link,
       {{"yaw", "rad", "left positive"}},
       read_heading,
       [](const double* v, int, Readings& r, Wheels) { r.heading = v[0]; }},
      {"joint",
       "position and rate of joints",
       On::joints,
       {{"position", "rad or m", "of the joint"}, {"rate", "rad/s or m/s", "of the joint"}},
       read_joint,
       nullptr},
      {"position",
       "where it is in the world, as satellite navigation or a tracking camera tells it",
       On::link,
       {{"x", "m", "world"}, {"y", "m", "world"}, {"z", "m", "world"}},
       read_position,
       [](const double* v, int, Readings& r, Wheels) { r.position = take(v); }},
      {"speed",
       "velocity of its place in its own axes, as radar or an optical flow tells it",
       On::link,
       {{"x", "m/s", "along its x"}, {"y", "m/s", "along its y"}, {"z", "m/s", "along its z"}},
       read_speed,
       [](const double* v, int, Readings& r, Wheels) { r.velocity = take(v); }},
      {"suspension",
       "displacement of suspensions",
       On::wheels,
       {{"travel", "m", "compression positive"}},
       [](const RobotTruth& t, const SensorSite&, int i, double* out) { out[0] = wheel(t, i).suspension; },
       [](const double* v, int i, Readings&, Wheels w) { wheel(w, i).suspension = v[0]; }},
      {"wheel_force",
       "normal, traction and lateral force of wheels",
       On::wheels,
       {{"normal", "N", "normal force"},
        {"traction", "N", "longitudinal force, forward positive"},
        {"lateral", "N", "lateral force, left positive"}},
       [](const RobotTruth& t, const SensorSite&, int i, double* out) {
         out[0] = wheel(t, i).normal, out[1] = wheel(t, i).traction, out[2] = wheel(t, i).lateral;
       },
       [](const double* v, int i, Readings&, Wheels w) {
         wheel(w, i).normal = v[0], wheel(w, i).traction = v[1], wheel(w, i).lateral = v[2];
       }},
  };
  return all;
}

}  // namespace scree
