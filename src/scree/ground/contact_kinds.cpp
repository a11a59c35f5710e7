#include <algorithm>

#include "scree/core/errors.hpp"
#include "scree/ground/contact.hpp"

namespace scree {

const std::vector<ContactKind>& contact_kinds() {
  static const std::vector<ContactKind> all = {
      slices_kind(),  // wheels first: bodies may use what they saw
      sectors_kind(), soil_kind(), soil_grid_kind(), columns_kind(), axis_columns_kind(),
  };
  return all;
}

bool is_suspended(const std::string& name) {
  for (const ContactKind& kind : contact_kinds())
    if (kind.name == name) return kind.suspended;
  return false;
}

const ContactKind& contact_kind(const std::string& name) {
  for (const ContactKind& kind : contact_kinds())
    if (kind.name == name) return kind;
  run_error("no kind of contact '{}'", name);
}

void describe_contact(Section& s, ContactChoice& choice, bool for_wheels) {
  std::vector<std::string> names;
  std::string doc = "kind of contact";
  for (const ContactKind& kind : contact_kinds()) {
    if (kind.for_wheels != for_wheels) continue;
    names.push_back(kind.name);
    doc += (names.size() == 1 ? ": " : "; ") + kind.name + ": " + kind.doc;
  }
  if (choice.kind.empty()) choice.kind = names.front();
  const ContactChoice shared = choice;
  s.choice("kind", choice.kind, names, {.doc = doc});
  choice.settings = nullptr;
  for (const ContactKind& kind : contact_kinds()) {
    if (kind.for_wheels != for_wheels || !kind.read) continue;
    const ContactSettings* same = kind.name == shared.kind ? shared.settings.get() : nullptr;
    if (s.documenting() || kind.name == choice.kind) choice.settings = kind.read(s, same);
  }
}

ContactGroups make_contact_groups(std::span<const ContactElement> elements) {
  ContactGroups out;
  SeenPlaces seen;
  for (const ContactElement& e : elements)
    out.of_wheel.resize(std::max(out.of_wheel.size(), static_cast<std::size_t>(e.wheel + 1)), -1);
  for (const ContactKind& kind : contact_kinds()) {
    std::vector<ContactElement> own;
    for (const ContactElement& e : elements)
      if (e.contact.kind == kind.name) own.push_back(e);
    if (own.empty()) continue;
    ContactGroups::Entry entry{kind.make(own, seen), out.memory, out.contacts};
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i].wheel >= 0) out.of_wheel[own[i].wheel] = out.contacts + static_cast<int>(i);
    out.memory += entry.group->memory();
    out.contacts += entry.group->contacts();
    out.groups.push_back(std::move(entry));
  }
  out.seen = seen.packs;
  return out;
}

}  // namespace scree
