//===- RandomConvolution.cpp - Nests as sources have them -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomConvolution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;

namespace convopt::test {

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

void RandomConvolution::line(const std::string &text) {
  body += std::string(2 * indent, ' ') + text + "\n";
  indent += StringRef(text).ends_with("{");
}

void RandomConvolution::statement(const std::string &text) {
  line("S" + std::to_string(statements++) + ": " + text);
}

void RandomConvolution::close(size_t loops) {
  for (; loops != 0; --loops) {
    --indent;
    line("}");
  }
}

/// A number, or a name of one that the launch gives.
std::string RandomConvolution::size(const std::string &name, unsigned low,
                                    unsigned high, bool mayBeTemplate) {
  if (isConstant || random.chance(20))
    return std::to_string(random.between(low, high));
  const bool isTemplate =
      mayBeTemplate && templateSize.empty() && random.chance(15);
  parameters += "param " + name + (isTemplate ? ": int template\n" : ": int\n");
  if (isTemplate)
    templateSize = name;
  else
    arguments.push_back("argument " + name + " \"int @\" param");
  return name;
}

/// Has \p extent go by \p name, as sources often do.
void RandomConvolution::define(std::string &extent, const std::string &name) {
  if (isConstant || random.chance(40))
    return;
  defined += "param " + name + ": int = " + extent + "\n";
  extent = name;
}

void RandomConvolution::assume(const std::string &text) {
  if (any_of(text, [](char c) { return isAlpha(c); }))
    assumptions += "assume " + text + " >= 0 \"it is not empty\"\n";
}

/// Declares an array with dimensions for pairs of extents and subscripts, in
/// any order, and gives the element. \p last: rows are that long instead.
std::string
RandomConvolution::array(const std::string &name, Access access,
                         const std::string &role, const std::string &last,
                         const std::map<std::string, std::string> &borders) {
  if (last.empty() && random.chance(30))
    random.shuffle(access);
  std::string element = name, extents, footprint = "1", modes;
  const bool isOwnType = role != "input" || random.chance(85);
  static const std::vector<std::string> types{
      "float", "double", "unsigned char", "__half", "short"};
  const std::string t = isOwnType ? type : random.oneOf(types);
  for (size_t d = 0; d != access.size(); ++d) {
    const bool isLong = d + 1 == access.size() && !last.empty();
    extents += "[" + (isLong ? last : access[d].first) + "]";
    footprint += isLong ? "" : " * (" + access[d].first + ")";
    element += "[" + access[d].second + "]";
    auto mode = borders.find(access[d].second);
    modes +=
        (d == 0 ? "" : ", ") + (mode == borders.end() ? "none" : mode->second);
  }
  arrays += "array " + name + ": " + t + extents + " " + role;
  if (!last.empty()) // the last row ends early
    arrays += " footprint " + footprint + " * " + last + " - " + last + " + " +
              access.back().first;
  if (!borders.empty())
    arrays += " border(" + modes + ")";
  arrays += "\n";
  arguments.push_back("argument " + name + " \"" +
                      (role == "input" ? "const " : "") + t + " *@\" array");
  return element;
}

/// Of products, the length of rows of which \p extent elements are read.
std::string RandomConvolution::longer(const std::string &extent) {
  if (!isOfProducts || !random.chance(30))
    return "";
  return "((" + extent + ") + " + std::to_string(random.between(1, 5)) + ")";
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

std::string RandomConvolution::Window::element() const {
  const std::string s = std::to_string(stride), d = std::to_string(dilation),
                    p = std::to_string(padding);
  if (isTransposed)
    return "floordiv(" + out.loop + " + " + p + " - " + d + " * (" +
           filter.loop + "), " + s + ")";
  return s + " * (" + out.loop + ") + " + d + " * (" + filter.loop + ") - " + p;
}

std::string RandomConvolution::Window::guard() const {
  if (!padding && !isTransposed)
    return "";
  std::string text =
      element() + " >= 0 and (" + input + ") - 1 - (" + element() + ") >= 0";
  if (isTransposed && stride > 1)
    text += " and (" + out.loop + " + " + std::to_string(padding) + " - " +
            std::to_string(dilation) + " * (" + filter.loop + ")) % " +
            std::to_string(stride) + " == 0";
  return text;
}

/// Each input element adds to a window of the output.
RandomConvolution::Window
RandomConvolution::transposed(Window w, const std::string &input) {
  w.isTransposed = true;
  w.input = size(input, 2, 6);
  w.out.extent = std::to_string(w.stride) + " * (" + w.input + " - 1) + " +
                 std::to_string(w.dilation) + " * (" + w.filter.extent +
                 " - 1) + 1 - " + std::to_string(2 * w.padding);
  assume(w.out.extent + " - 1");
  define(w.out.extent, "O" + input);
  return w;
}

/// One loop, called \p name, in place of \p loops, which become its digits.
RandomConvolution::Dim RandomConvolution::fuse(ArrayRef<Dim *> loops,
                                               const std::string &name) {
  Dim all{name, "1"};
  std::string rest = name;
  for (Dim *d : reverse(loops)) {
    d->loop = d == loops.front() ? rest : rest + " % (" + d->extent + ")";
    rest = "floordiv(" + rest + ", " + d->extent + ")";
    all.extent += " * (" + d->extent + ")";
  }
  return all;
}

RandomConvolution::Window RandomConvolution::window(const std::string &loop,
                                                    const std::string &filter,
                                                    const std::string &input) {
  Window w;
  w.out.loop = loop;
  w.filter = {filter, size("K" + input, 1, random.chance(20) ? 5 : 3, true)};
  w.stride = random.chance(75) ? 1 : random.between(2, 3);
  w.dilation = random.chance(80) ? 1 : 2;
  w.padding = random.chance(50) ? 0 : random.between(1, 2);
  const std::string reach =
      std::to_string(w.dilation) + " * (" + w.filter.extent + " - 1)";
  if (!isOfProducts && random.chance(12))
    return transposed(w, input);
  if (w.padding == 0 && random.chance(30)) { // the output's size is given
    w.out.extent = size("O" + input, 1, 8);
    w.input = std::to_string(w.stride) + " * (" + w.out.extent + " - 1) + " +
              reach + " + 1";
    define(w.input, input);
    return w;
  }
  w.input = size(input, 4, 10);
  const std::string room =
      w.input + " + " + std::to_string(2 * w.padding) + " - " + reach + " - 1";
  assume(room);
  w.out.extent = w.stride == 1 ? room + " + 1"
                               : "floordiv(" + room + ", " +
                                     std::to_string(w.stride) + ") + 1";
  define(w.out.extent, "O" + input);
  return w;
}

/// Where a padded input has elements.
std::string
RandomConvolution::guardOf(const std::vector<Window> &windows) const {
  std::vector<std::string> tests;
  for (const Window &w : windows)
    if (std::string test = w.guard(); !test.empty())
      tests.push_back(std::move(test));
  return join(tests, " and ");
}

/// By subscript, how the input continues past its ends, or nothing.
std::map<std::string, std::string>
RandomConvolution::bordersOf(const std::vector<Window> &windows) {
  static const std::vector<std::string> modes{"clamp", "reflect", "symmetric",
                                              "wrap"};
  std::map<std::string, std::string> borders;
  const bool isPadded =
      any_of(windows, [](const Window &w) { return w.padding != 0; }) &&
      none_of(windows, [](const Window &w) { return w.isTransposed; });
  if (isPadded && random.chance(25))
    for (const Window &w : windows) {
      borders[w.element()] = random.oneOf(modes);
      assume(w.input + " - 3"); // images are inside
    }
  return borders;
}

/// The right-hand side of an output, from `sum`.
std::string RandomConvolution::epilogue(const std::vector<Dim> &outer) {
  auto some = [&](const std::string &name) {
    const Dim &d = outer[random.pick(outer.size())];
    return array(name, {{d.extent, d.loop}}, "input");
  };
  switch (random.pick(8)) {
  case 0:
    return "fmaxf(sum, 0.0f)";
  case 1:
    return "sum + " + some("bias");
  case 2:
    return some("scale") + " * sum + " + some("shift");
  case 3:
    return "3 * sum + index(" + outer.back().loop + ")";
  default:
    return "sum";
  }
}

/// \p target, in the loops of \p outer, is a sum over \p inner.
void RandomConvolution::sum(const std::string &target,
                            const std::vector<Dim> &outer,
                            std::vector<Dim> inner, const std::string &guard,
                            std::string value, bool isMaximum) {
  if (random.chance(20))
    random.shuffle(inner);
  for (const Dim &d : outer)
    open(d);
  const bool isPart = random.chance(5), isTwo = random.chance(8);
  if (isPart) // of the output
    line("if " + outer[0].loop + " - " + outer.back().loop + " + " +
         std::to_string(random.pick(3)) + " >= 0 {");
  const std::string sum = sumsInMemory ? target : "sum";
  if (!sumsInMemory)
    line("local sum");
  statement(sum + (isMaximum ? " = -1000.0f" : " = 0.0f"));
  if (isTwo) {
    line("local other");
    statement("other = 1.0f");
  }
  for (const Dim &d : inner)
    open(d);
  if (!guard.empty())
    line("if " + guard + " {");
  statement(sum +
            (isMaximum           ? " max= "
             : random.chance(90) ? " += "
                                 : " -= ") +
            value);
  if (isTwo)
    statement("other += 3 * " + value);
  close(inner.size() + !guard.empty());
  if (isTwo) {
    Access all;
    for (const Dim &d : outer)
      all.push_back({d.extent, d.loop});
    statement(array("also", all, "output") + " = other");
    arrays += "array other: " + type + " local\n";
  }
  if (!sumsInMemory) {
    statement(target + " = " + epilogue(outer));
    arrays += "array sum: " + type + " local\n";
  }
  close(outer.size() + isPart);
}

/// Each group of maps has channels of its own.
void RandomConvolution::groups(std::vector<Dim> &outer, std::vector<Dim> &inner,
                               Access &in, Access &out, Access &w) {
  const std::string groups = size("G", 1, 3), maps = size("M", 1, 3),
                    channels = size("C", 1, 3), all = groups + " * " + maps;
  std::string group = "g", map = maps + " * g + m";
  if (random.chance(50)) {
    outer.push_back({group, groups});
    outer.push_back({"m", maps});
  } else {
    map = "o";
    group = "floordiv(o, " + maps + ")";
    outer.push_back({map, all});
  }
  inner.push_back({"c", channels});
  out.push_back({all, map});
  append_range(w, Access{{all, map}, {channels, "c"}});
  in.push_back({groups + " * " + channels, channels + " * " + group + " + c"});
}

void RandomConvolution::convolution() {
  static const char *const loops[][2] = {{"z", "k"}, {"y", "i"}, {"x", "j"}};
  static const char *const inputs[] = {"D", "H", "W"};
  const unsigned dims = !isOfProducts && random.chance(15) ? 3
                        : random.chance(75)                ? 2
                                                           : 1;
  std::vector<Window> windows;
  for (unsigned d = 3 - dims; d != 3; ++d)
    windows.push_back(window(loops[d][0], loops[d][1], inputs[d]));
  std::vector<Dim *> outs, filters;
  for (Window &v : windows) {
    outs.push_back(&v.out);
    filters.push_back(&v.filter);
  }
  std::optional<Dim> point, tap;
  // Their quotients would meet those that schedules make.
  if (!isOfProducts && random.chance(6))
    point = fuse(outs, "p");
  if (!isOfProducts && random.chance(12))
    tap = fuse(filters, "q");
  const bool isPooling = random.chance(10), hasMaps = random.chance(70),
             hasChannels = !isPooling && random.chance(65);
  std::vector<Dim> outer, inner;
  Access in, out, w;
  auto add = [&](const Dim &d, std::vector<Dim> &loops,
                 std::initializer_list<Access *> arrays) {
    loops.push_back(d);
    for (Access *a : arrays)
      a->push_back({d.extent, d.loop});
  };
  if (random.chance(50))
    add({"n", size("N", 1, 3)}, outer, {&in, &out});
  if (hasMaps && hasChannels && random.chance(12))
    groups(outer, inner, in, out, w);
  else if (hasMaps && (isPooling || random.chance(15))) // each map has its own
    add({"o", size("O", 1, 5)}, outer, {&in, &out, &w});
  else if (hasMaps)
    add({"o", size("O", 1, 6)}, outer, {&out, &w});
  if (hasChannels && inner.empty())
    add({"c", size("C", 1, 4)}, inner, {&in, &w});
  for (const Window &v : windows) {
    if (!point)
      outer.push_back(v.out);
    if (!tap)
      inner.push_back(v.filter);
    out.push_back({v.out.extent, v.out.loop});
    w.push_back({v.filter.extent, v.filter.loop});
    in.push_back({v.input, v.element()});
  }
  if (point)
    outer.push_back(*point);
  if (tap)
    inner.push_back(*tap);
  std::string pitch;
  if (!isConstant && random.chance(15)) {
    pitch = size("LD", 12, 14);
    assume(pitch + " - (" + windows.back().input + ")");
  }
  if (pitch.empty())
    pitch = longer(in.back().first);
  const auto borders =
      pitch.empty() ? bordersOf(windows) : std::map<std::string, std::string>();
  std::string element = array("in", in, "input", pitch, borders),
              guard = guardOf(windows);
  const std::string target = array("out", out, "output");
  if (!guard.empty() && (!borders.empty() || random.chance(40))) {
    element = "guarded(" + guard + ", " + element + ", " +
              (!borders.empty() ? "border"
               : isPooling      ? "-1000.0f"
                                : "0.0f") +
              ")";
    guard.clear();
  }
  auto filter = [&] {
    return array("w", w, "input", w.empty() ? "" : longer(w.back().first));
  };
  if (!isPooling)
    element = random.chance(50) ? element + " * " + filter()
                                : filter() + " * " + element;
  if (random.chance(20))
    random.shuffle(outer);
  sum(target, outer, inner, guard, element, isPooling && random.chance(60));
}

std::string RandomConvolution::text() {
  isConstant = random.chance(isOfProducts ? 60 : 30);
  sumsInMemory = random.chance(15);
  type = random.chance(85) ? "float" : "double";
  if (random.chance(8))
    type = templateType = "T";
  const unsigned kind = random.pick(100);
  if (isOfProducts ? kind < 75 : kind < 70)
    convolution();
  else if (isOfProducts || kind < 80)
    product();
  else if (kind < 92)
    stencil();
  else if (kind < 96)
    inTime();
  else
    scatter();
  std::string head = "nest f from \"f.cu\"\n";
  std::vector<std::string> parts;
  std::string named;
  if (!templateType.empty()) {
    parts.push_back("class T");
    named += "template argument \"T\" type\n";
  }
  if (!templateSize.empty()) {
    parts.push_back("int " + templateSize);
    named += "template argument \"" + templateSize + "\"\n";
  }
  if (!parts.empty())
    head += "template \"template <" + join(parts, ", ") + ">\"\n" + named;
  return head + join(arguments, "\n") + "\n" + parameters + defined + arrays +
         assumptions + "\n" + body;
}

} // namespace convopt::test
