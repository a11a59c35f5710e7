#include "scree/view/shaders.hpp"

namespace scree::view::shaders {

// Where a vertex of a tile lies, the same for the picture and for shadows.
static const std::string tile_place = R"(
layout(location = 0) in vec3 cell;        // column, row, 1 on the skirt
layout(location = 1) in vec2 height;      // own, coarse [m above the datum]
layout(location = 4) in vec4 slide;       // off its place, own, coarse, in parts of detail.w
uniform vec3 corner;       // tile corner relative to the eye, datum included
uniform vec4 shape;        // spacing, x limit, y limit, skirt depth [m]
uniform vec4 detail;       // distance where the morph starts, where it ends; focus offset; largest slide [m]
uniform vec3 focus;        // relative to the eye
vec2 tile_xy() { return min(cell.xy * shape.x, shape.yz); }
vec3 tile_place(out float morph) {
  vec3 p = corner + vec3(tile_xy() + detail.w * slide.xy, height.x);
  float d = min(length(p), distance(p, focus) + detail.z);
  morph = clamp((d - detail.x) / (detail.y - detail.x), 0.0, 1.0);
  p.xy += morph * detail.w * (slide.zw - slide.xy);
  p.z += morph * (height.y - height.x) - cell.z * shape.w;
  return p;
}
)";

static const std::string terrain_vertex_text = tile_place + R"(
layout(location = 2) in vec4 normal_xy;   // own, coarse
layout(location = 3) in vec4 soil;
uniform vec4 uv_offset;    // natural texture: fine xy, coarse zw
uniform vec2 image_offset;
uniform vec3 uv_scale;     // 1/m: fine, coarse, image
out vec3 rel;
out vec3 normal;
out vec4 uv;
out vec2 image_uv;
out vec3 soil_color;
out vec2 ground_xy;
out vec4 haze;
out float open;
uniform vec2 grid_offset;
void main() {
  float m;
  vec3 p = tile_place(m);
  vec2 xy = tile_xy();
  vec2 n = mix(normal_xy.xy, normal_xy.zw, m);
  normal = vec3(n, sqrt(max(1.0 - dot(n, n), 0.0)));
  rel = p;
  uv = vec4(xy * uv_scale.x + uv_offset.xy, xy * uv_scale.y + uv_offset.zw);
  image_uv = xy * uv_scale.z + image_offset;
  ground_xy = xy + grid_offset;
  soil_color = soil.rgb;
  haze = air(p);
  open = openness(p, normal);
  gl_Position = clip_from_rel * vec4(p, 1.0);
}
)";

const std::string_view terrain_vertex = terrain_vertex_text;

const std::string_view terrain_fragment = R"(
in vec3 rel;
in vec3 normal;
in vec4 uv;
in vec2 image_uv;
in vec3 soil_color;
in vec2 ground_xy;
in vec4 haze;
in float open;
out vec4 color;
uniform sampler2D noise;    // rg: small slopes, b: grain, a: patches
uniform sampler2D image;
uniform vec3 low, high, steep;   // linear
uniform vec4 range;         // lowest, highest [m], contour interval [m], grid [m]

vec3 ramp(float t) {        // deep green, straw, ochre, brown, white
  vec3 c[5] = vec3[5](vec3(0.11, 0.24, 0.16), vec3(0.36, 0.45, 0.20), vec3(0.72, 0.58, 0.30),
                      vec3(0.42, 0.26, 0.15), vec3(0.86, 0.86, 0.84));
  float x = clamp(t, 0.0, 0.9999) * 4.0;
  int i = int(x);
  return mix(c[i], c[i + 1], x - float(i));
}

vec3 slope_color(float degrees) {
  vec3 a = vec3(0.13, 0.37, 0.17), b = vec3(0.75, 0.62, 0.12), c = vec3(0.70, 0.15, 0.06), d = vec3(0.22, 0.04, 0.16);
  if (degrees < 15.0) return mix(a, b, degrees / 15.0);
  if (degrees < 30.0) return mix(b, c, (degrees - 15.0) / 15.0);
  return mix(c, d, clamp((degrees - 30.0) / 20.0, 0.0, 1.0));
}

// Lines of constant width on the screen where `value` passes whole numbers; faint where they crowd.
float lines(float value, float width) {
  float w = fwidth(value);
  float d = abs(fract(value - 0.5) - 0.5) / max(w, 1e-6);
  return (1.0 - smoothstep(width - 0.6, width + 0.6, d)) * (1.0 - smoothstep(0.25, 0.6, w));
}

void main() {
  vec3 n = normalize(normal);
  // The face of a wall between two vertices that each have the normal of their own side.
  vec3 face = cross(dFdx(rel), dFdy(rel));
  face *= (face.z < 0.0 ? -1.0 : 1.0) / max(length(face), 1e-12);
  if (face.z < 0.6 && dot(face, n) < 0.8) n = face;
  vec3 flat_normal = n;
  vec4 fine = texture(noise, uv.xy), broad = texture(noise, uv.zw);
  float z = rel.z + eye.z;
  float far = smoothstep(4.0, 40.0, length(rel));
  float grain = mix(fine.b, 0.5, 0.6 * far), patches = broad.a;
  float t = (z - range.x) / max(range.y - range.x, 1e-3);
  vec3 albedo;
  float bump = 0.42;
#if SHADING == 1     // texture
  albedo = texture(image, image_uv).rgb;
  albedo = to_linear(albedo);
  bump = 0.0;
#else
#if SHADING == 2 || SHADING == 4   // height, contour
  albedo = ramp(t);
#elif SHADING == 3   // slope
  albedo = slope_color(degrees(acos(clamp(n.z, 0.0, 1.0))));
#elif SHADING == 5   // soil
  albedo = to_linear(soil_color);
#else                // natural
  albedo = mix(low, high, clamp(0.25 + 0.5 * t + 0.9 * (patches - 0.5), 0.0, 1.0));
  albedo = mix(albedo, steep, smoothstep(0.12, 0.38, 1.0 - n.z + 0.10 * (broad.b - 0.5)));
#endif
  albedo *= 0.62 + 0.76 * grain;
  albedo *= 0.86 + 0.28 * broad.b;
#endif
#if SHADING == 4
  float every = z / range.z;
  float line = max(0.55 * lines(every, 0.7), 0.9 * lines(every / 5.0, 1.1));
  albedo = mix(albedo, vec3(0.03, 0.02, 0.015), line);
#endif
#if GRID
  vec2 g = ground_xy / range.w;
  albedo = mix(albedo, albedo * 0.45, 0.7 * max(lines(g.x, 0.6), lines(g.y, 0.6)));
#endif
  n = normalize(n + bump * (1.0 - 0.7 * far) * vec3(fine.rg - 0.5, 0.0) + 0.35 * bump * vec3(broad.rg - 0.5, 0.0));
  float sun = sunlight(rel, flat_normal);
  color = vec4(to_display(mix(haze.rgb, matte(albedo, n, sun, open), haze.a)), 1.0);
}
)";

static const std::string terrain_shadow_text = tile_place + R"(
uniform mat4 light_from_rel;
void main() {
  float morph;
  gl_Position = light_from_rel * vec4(tile_place(morph), 1.0);
}
)";
const std::string_view terrain_shadow_vertex = terrain_shadow_text;

const std::string_view shadow_vertex = R"(
layout(location = 0) in vec3 position;
uniform mat4 rel_from_mesh;
uniform mat4 light_from_rel;
void main() { gl_Position = light_from_rel * (rel_from_mesh * vec4(position, 1.0)); }
)";

const std::string_view shadow_fragment = R"(
void main() {}
)";

const std::string_view mesh_vertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
layout(location = 2) in vec2 texture_place;
uniform mat4 rel_from_mesh;
uniform mat4 normal_from_mesh;
out vec3 rel;
out vec3 normal;
out vec2 uv;
out vec4 haze;
void main() {
  vec4 p = rel_from_mesh * vec4(position, 1.0);
  rel = p.xyz;
  normal = mat3(normal_from_mesh) * direction;
  uv = texture_place;
  haze = air(rel);
  gl_Position = clip_from_rel * p;
}
)";

const std::string_view mesh_fragment = R"(
in vec3 rel;
in vec3 normal;
in vec2 uv;
in vec4 haze;
out vec4 color;
uniform vec4 albedo;       // linear, opacity
uniform vec4 finish;       // roughness, metallic, glow, 1 with texture
uniform sampler2D image;
void main() {
  vec3 n = normalize(normal);
  if (dot(n, rel) > 0.0) n = -n;
  vec3 base = albedo.rgb;
  if (finish.w > 0.5) base *= to_linear(texture(image, vec2(uv.x, 1.0 - uv.y)).rgb);
  float sun = sunlight(rel, n);
  vec3 c = lit(base, n, rel, finish.x, finish.y, sun, 0.85);
  c += finish.z * base * 2.0;
  color = vec4(to_display(mix(haze.rgb, c, haze.a)), albedo.a);
}
)";

const std::string_view line_vertex = R"(
layout(location = 0) in vec3 from;       // relative to the eye
layout(location = 1) in vec3 to;
layout(location = 2) in vec4 tint;
layout(location = 3) in float width;     // px
uniform float near;
out vec4 shade;
void main() {
  // Six corners of a ribbon that faces the screen, longer by half its width at both ends.
  int k = gl_VertexID;
  float side = (k == 0 || k == 2 || k == 3) ? -1.0 : 1.0;
  float end = (k == 0 || k == 1 || k == 4) ? 0.0 : 1.0;
  vec4 a = clip_from_rel * vec4(from, 1.0), b = clip_from_rel * vec4(to, 1.0);
  // Cut at the near plane, or the far side of the eye would be drawn.
  if (a.w < near && b.w < near) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); shade = tint; return; }
  if (a.w < near) a = mix(a, b, (near - a.w) / (b.w - a.w));
  if (b.w < near) b = mix(b, a, (near - b.w) / (a.w - b.w));
  vec2 sa = a.xy / a.w * screen.xy * 0.5, sb = b.xy / b.w * screen.xy * 0.5;
  vec2 d = sb - sa;
  float l = length(d);
  vec2 t = l > 1e-4 ? d / l : vec2(1.0, 0.0);
  float half_width = 0.5 * width * screen.z + 0.7;
  vec2 offset = vec2(-t.y, t.x) * side * half_width + t * (end * 2.0 - 1.0) * 0.5 * half_width;
  vec4 p = end < 0.5 ? a : b;
  p.xy += offset / (screen.xy * 0.5) * p.w;
  p.z -= 0.0006 * p.w;                   // a hair in front of the ground it lies on
  gl_Position = p;
  shade = tint;
}
)";

const std::string_view line_fragment = R"(
in vec4 shade;
out vec4 color;
void main() { color = shade; }
)";

const std::string_view marker_vertex = R"(
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 direction;
layout(location = 3) in vec4 place;      // relative to the eye; w: radius
layout(location = 4) in vec4 vector;     // along which z of the mesh is stretched; w: 1 for balls
layout(location = 5) in vec4 tint;
out vec3 rel;
out vec3 normal;
out vec4 shade;
void main() {
  float l = length(vector.xyz);
  vec3 z = l > 1e-9 ? vector.xyz / l : vec3(0.0, 0.0, 1.0);
  vec3 x = normalize(abs(z.z) < 0.9 ? cross(vec3(0.0, 0.0, 1.0), z) : cross(vec3(1.0, 0.0, 0.0), z));
  vec3 y = cross(z, x);
  vec3 s = vec3(place.w, place.w, vector.w > 0.5 ? place.w : l);
  // The head keeps its shape on long arrows: it is three radii long.
  float along = position.z;
  if (vector.w < 0.5) {
    float head = min(3.2 * place.w / max(l, 1e-9), 0.6);
    along = position.z >= 0.71 ? 1.0 - (1.0 - position.z) / 0.28 * head : position.z;
  }
  rel = place.xyz + x * position.x * s.x + y * position.y * s.y + z * along * s.z;
  normal = x * direction.x + y * direction.y + z * direction.z;
  shade = tint;
  gl_Position = clip_from_rel * vec4(rel, 1.0);
}
)";

const std::string_view marker_fragment = R"(
in vec3 rel;
in vec3 normal;
in vec4 shade;
out vec4 color;
void main() {
  vec3 n = normalize(normal);
  // Signs, not things: colours stay readable in shadow.
  float light = 0.62 + 0.38 * max(dot(n, normalize(to_sun.xyz - normalize(rel))), 0.0);
  color = vec4(shade.rgb * light, shade.a);
}
)";

}  // namespace scree::view::shaders
