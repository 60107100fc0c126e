#include "solid/mesh/gmsh/edits.hpp"

#include <algorithm>

namespace gearshift::solid {

std::string edited(std::string_view bytes, std::vector<GmshEdit> edits) {
  std::stable_sort(edits.begin(), edits.end(),
                   [](const GmshEdit& a, const GmshEdit& b) { return a.offset < b.offset; });
  std::string result;
  std::size_t done = 0;
  for (const GmshEdit& edit : edits) {
    result.append(bytes.substr(done, edit.offset - done)).append(edit.text);
    done = edit.offset + edit.removed;
  }
  return result.append(bytes.substr(done));
}

}  // namespace gearshift::solid
