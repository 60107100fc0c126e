#include "solid/mesh/gmsh/bytes.hpp"

#include <algorithm>

namespace gearshift::solid {

void GmshBytes::load(std::size_t offset, std::size_t least) {
  if (!file_) return;
  begin_ = std::min(offset, size_);
  store_.resize(std::min(std::max(least, piece_), size_ - begin_));
  file_->clear();
  file_->seekg(static_cast<std::streamoff>(begin_));
  file_->read(store_.data(), static_cast<std::streamsize>(store_.size()));
  part_ = {store_.data(), static_cast<std::size_t>(std::max<std::streamsize>(file_->gcount(), 0))};
  if (part_.size() < store_.size()) size_ = begin_ + part_.size();
}

std::size_t GmshBytes::find(std::string_view text, std::size_t offset, std::size_t last) {
  while (offset < size_ && offset <= last) {
    const std::string_view part = from(offset);
    if (const auto found = part.find(text); found != npos) return offset + found <= last ? offset + found : npos;
    if (offset + part.size() == size_) break;
    offset += part.size() - text.size();
  }
  return npos;
}

std::size_t GmshBytes::line(std::size_t offset) {
  std::size_t line = 1;
  for (std::size_t at = 0; at < std::min(offset, size_);) {
    const std::string_view part = from(at).substr(0, offset - at);
    line += static_cast<std::size_t>(std::count(part.begin(), part.end(), '\n'));
    at += part.size();
  }
  return line;
}

}  // namespace gearshift::solid
