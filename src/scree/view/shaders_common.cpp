#include "scree/view/shaders.hpp"

namespace scree::view::shaders {
namespace {

// Positions are relative to the eye, along world axes: large worlds keep their precision.
constexpr std::string_view kCommon = R"(
layout(std140) uniform Frame {
  mat4 clip_from_rel;       // eye-relative world -> clip
  mat4 shadow_from_rel[2];  // eye-relative world -> shadow map [0, 1]: near, far
  vec4 eye;                 // xyz world (single precision, for heights only)
  vec4 to_sun;              // xyz unit; w: strength
  vec4 sun_color;           // linear; w: exposure
  vec4 zenith;              // linear; w: 1 with clouds
  vec4 horizon;             // linear; w: fog density [1/m]
  vec4 bounce;              // linear; w: ambient
  vec4 shadow_info;         // texel of the near map, of the far map [m]; softness [texels]; 1 with shadows
  vec4 screen;              // width, height [px], line scale, time [s]
  vec4 occluder[12];        // xyz centre relative to the eye, w radius: darkens the sky light below things
  ivec4 counts;             // occluders
};

// A gamma of 2: near enough to sRGB, and cheap where the processor draws.
vec3 to_linear(vec3 c) { return c * c; }

// Filmic curve (a fit of the form x(ax+b)/(x(cx+d)+e)) and display gamma.
vec3 to_display(vec3 c) {
  c *= sun_color.w;
  return sqrt(clamp((c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0));
}

vec3 sky_color(vec3 dir) {
  float up = clamp(dir.z, 0.0, 1.0);
  vec3 c = mix(horizon.rgb, zenith.rgb, 1.0 - exp(-3.2 * up));
  float toward = max(dot(dir, to_sun.xyz), 0.0);
  c += sun_color.rgb * (0.10 * pow(toward, 6.0) * (1.0 - 0.6 * up) + 0.25 * pow(toward, 90.0)) * min(1.0, 4.0 * horizon.g);
  return c;
}

// Colour of the air towards a point, and the part of the point's own light that comes through. Both change
// slowly: they are computed at vertices.
vec4 air(vec3 rel) {
  float d = length(rel);
  vec3 dir = rel / max(d, 1e-4);
  return vec4(sky_color(vec3(dir.xy, max(dir.z, 0.02))), exp(-horizon.w * d));
}

// Sky light that things nearby leave to a point: spheres as occluders.
float openness(vec3 rel, vec3 n) {
  float open = 1.0;
  for (int i = 0; i < counts.x; ++i) {
    vec3 d = occluder[i].xyz - rel;
    float r = occluder[i].w, l2 = dot(d, d);
    float facing = max(dot(n, d) * inversesqrt(l2), 0.0) * 0.8 + 0.2;
    open *= 1.0 - 0.75 * facing * clamp(r * r / l2, 0.0, 1.0);
  }
  return open;
}
)";

constexpr std::string_view kLight = R"(
uniform sampler2DArrayShadow shadow_maps;   // near, far

// Place in a map; z: depth. Moved off the surface, more where the sun grazes it.
vec3 in_map(int map, vec3 rel, vec3 n) {
  float slope = 1.0 - max(dot(n, to_sun.xyz), 0.0);
  return (shadow_from_rel[map] * vec4(rel + n * shadow_info[map] * (1.2 + 2.5 * slope), 1.0)).xyz;
}
// How far from the middle of the map: 0.5 at its edge.
float off_middle(vec3 p) {
  vec2 d = abs(p.xy - 0.5);
  return max(d.x, d.y);
}

#if SOFT_LIGHT
float tap(int map, vec3 p) {
  float sum = 0.0, texel = 1.0 / float(textureSize(shadow_maps, 0).x);
  for (int i = 0; i < 4; ++i) {
    vec2 o = vec2(i == 0 || i == 3 ? -0.6 : 0.6, i < 2 ? -0.6 : 0.6);
    sum += texture(shadow_maps, vec4(p.xy + o * texel, map, p.z));
  }
  return 0.25 * sum;
}

// Part of the sun that reaches a point, 0..1.
float sunlight(vec3 rel, vec3 n) {
  if (shadow_info.w < 0.5) return 1.0;
  vec3 p = in_map(0, rel, n);
  float inside = off_middle(p);
  float near_light = 1.0;
  if (inside < 0.49 && p.z < 1.0) {
    near_light = tap(0, p);
    if (inside < 0.42) return near_light;
  }
  vec3 q = in_map(1, rel, n);
  float far_inside = off_middle(q);
  float far_light = 1.0;
  if (far_inside < 0.49 && q.z < 1.0) {
    far_light = tap(1, q);
    far_light = mix(far_light, 1.0, smoothstep(0.40, 0.49, far_inside));
  }
  return inside < 0.49 ? mix(near_light, far_light, smoothstep(0.42, 0.49, inside)) : far_light;
}
#else
// One reading of whichever map covers the point.
float sunlight(vec3 rel, vec3 n) {
  vec3 p = in_map(0, rel, n), q = in_map(1, rel, n);
  bool near = off_middle(p) < 0.49 && p.z < 1.0;
  float fade = near ? 0.0 : max(smoothstep(0.40, 0.49, off_middle(q)), step(1.0, q.z));
  vec4 place = near ? vec4(p.xy, 0.0, p.z) : vec4(q.xy, 1.0, q.z);
  return max(texture(shadow_maps, place), max(fade, 1.0 - shadow_info.w));
}
#endif

// Sky light over the hemisphere: the ground's bounce from below.
vec3 sky_light(vec3 n) {
  return mix(bounce.rgb * 0.35, mix(horizon.rgb, zenith.rgb, 0.55), 0.5 + 0.5 * n.z) * bounce.w * 0.72;
}

// Ground: no shine.
vec3 matte(vec3 albedo, vec3 n, float sun, float open) {
  float nl = max(dot(n, to_sun.xyz), 0.0);
  return albedo * (sun_color.rgb * (to_sun.w * nl * sun / 3.14159) + open * sky_light(n));
}

vec3 lit(vec3 albedo, vec3 n, vec3 rel, float roughness, float metallic, float sun, float open) {
  vec3 v = normalize(-rel);
  vec3 l = to_sun.xyz;
  vec3 h = normalize(v + l);
  float nl = max(dot(n, l), 0.0), nv = max(dot(n, v), 1e-3), nh = max(dot(n, h), 0.0), vh = max(dot(v, h), 0.0);
  float a = roughness * roughness, a2 = a * a;
  float d = nh * nh * (a2 - 1.0) + 1.0;
  float k = 0.5 * a + 1e-3;
  float spec = a2 / (3.14159 * d * d) * 0.25 / ((nl * (1.0 - k) + k) * (nv * (1.0 - k) + k));
  vec3 f0 = mix(vec3(0.04), albedo, metallic);
  float fresnel = pow(1.0 - vh, 5.0);
  vec3 f = f0 + (1.0 - f0) * fresnel;
  vec3 diffuse = albedo * (1.0 - metallic);
  vec3 direct = (diffuse / 3.14159 + min(spec, 6.0) * f) * nl * sun * to_sun.w * sun_color.rgb;
  vec3 r = reflect(-v, n);
  vec3 mirror = r.z > 0.0 ? mix(sky_color(r), horizon.rgb, roughness) : mix(bounce.rgb * 0.35, horizon.rgb, max(0.0, 1.0 + 4.0 * r.z) * 0.5);
  float grazing = pow(1.0 - nv, 5.0);
  vec3 fa = f0 + (max(vec3(1.0 - roughness), f0) - f0) * grazing;
  return direct + open * (diffuse * sky_light(n) + bounce.w * mirror * fa * (1.0 - 0.55 * roughness) * 0.9);
}
)";

}  // namespace

std::string with_common(std::string_view source, const Defines& d) {
  std::string text = "#version 330 core\n";
  const auto define = [&](const char* name, int value) {
    text += std::string("#define ") + name + " " + std::to_string(value) + "\n";
  };
  define("SHADING", d.shading);
  define("GRID", d.grid);
  define("SOFT_LIGHT", d.soft_light);
  text += kCommon;
  if (source.find("sunlight(") != std::string_view::npos || source.find("lit(") != std::string_view::npos)
    text += kLight;
  text += source;
  return text;
}

const std::string_view sky_vertex = R"(
out vec2 place;
void main() {
  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  place = p;
  gl_Position = vec4(p, 1.0, 1.0);
}
)";

const std::string_view sky_fragment = R"(
in vec2 place;
out vec4 color;
uniform mat4 world_from_screen;
uniform sampler2D noise;
void main() {
  vec3 dir = normalize((world_from_screen * vec4(place, 0.0, 1.0)).xyz);
  vec3 c = sky_color(dir);
  if (zenith.w > 0.5 && dir.z > 0.0) {
    vec2 uv = dir.xy / (dir.z + 0.12);
    float a = texture(noise, uv * 0.045 + vec2(0.13, 0.4)).a, b = texture(noise, uv * 0.17 + vec2(0.7, 0.1)).a;
    float cloud = smoothstep(0.50, 0.85, 0.68 * a + 0.32 * b) * smoothstep(0.02, 0.30, dir.z);
    vec3 tint = mix(horizon.rgb * 1.05, sun_color.rgb, 0.5) * (0.85 + 0.4 * pow(max(dot(dir, to_sun.xyz), 0.0), 4.0));
    c = mix(c, tint, 0.55 * cloud);
  }
  float disk = smoothstep(0.99985, 0.99996, dot(dir, to_sun.xyz));
  c += disk * 14.0 * sun_color.rgb;
  color = vec4(to_display(c), 1.0);
}
)";

}  // namespace scree::view::shaders
