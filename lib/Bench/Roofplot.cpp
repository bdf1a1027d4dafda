//===- Roofplot.cpp - Kernels under the roof of a device ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Flops a second over flops a byte, both logarithmic (Williams et al. 2009).
/// All kernels of a shape share its intensity, so shapes are numbered along
/// the top.
///
//===----------------------------------------------------------------------===//

#include "Svg.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace convopt::bench {
namespace {

/// Maps [low, high] to pixels by the logarithm.
struct LogScale {
  double low, high, from, to;

  double operator()(double v) const {
    const double t = std::log(v / low) / std::log(high / low);
    return from + t * (to - from);
  }
};

class RoofPlot {
public:
  explicit RoofPlot(const Report &report)
      : report(report), env(report.environment), groups(byShape(report)),
        svg(Width, Height, "Roofline: TFLOP/s over flop per byte") {}

  std::string run() {
    chooseScales();
    drawAxes();
    drawShapes();
    drawRoof();
    drawMarks();
    return svg.str();
  }

private:
  static constexpr double Width = 900, Height = 470, Left = 56, Right = 14,
                          Top = 62, Bottom = 44;

  void chooseScales();
  void drawAxes();
  void drawShapes();
  void drawRoof();
  void drawMarks();
  double roofAt(double intensity) const {
    return std::min(env.copyBandwidth * intensity, env.ffmaCeiling) / 1e12;
  }

  const Report &report;
  const Environment &env;
  std::vector<ShapeGroup> groups;
  Svg svg;
  LogScale x{}, y{};
};

} // namespace

void RoofPlot::chooseScales() {
  const double ridge = env.ffmaCeiling / env.copyBandwidth;
  double lowX = ridge, highX = ridge, lowY = roofAt(ridge), highY = lowY;
  for (const Row &row : report.rows) {
    if (row.facts.intensity() > 0) {
      lowX = std::min(lowX, row.facts.intensity());
      highX = std::max(highX, row.facts.intensity());
      lowY = std::min(lowY, roofAt(row.facts.intensity()));
    }
    if (auto flops = figuresOf(row, report).flopsPerSecond; flops > 0) {
      lowY = std::min(lowY, *flops / 1e12);
      highY = std::max(highY, *flops / 1e12);
    }
  }
  x = {lowX / 2, highX * 2, Left, Width - Right};
  y = {lowY / 1.6, highY * 1.5, Height - Bottom, Top};
}

/// 1, 2 and 5 of each decade.
static std::vector<double> ticks(double low, double high) {
  std::vector<double> result;
  for (double decade = std::pow(10, std::floor(std::log10(low)));
       decade <= high; decade *= 10)
    for (double step : {1, 2, 5})
      if (decade * step >= low && decade * step <= high)
        result.push_back(decade * step);
  return result;
}

void RoofPlot::drawAxes() {
  using A = Svg::Anchor;
  for (double t : ticks(x.low, x.high)) {
    svg.line(x(t), Top, x(t), Height - Bottom, "grid");
    svg.text(x(t), Height - Bottom + 16, digits(t, 1), A::Middle, "tick");
  }
  for (double t : ticks(y.low, y.high)) {
    svg.line(Left, y(t), Width - Right, y(t), "grid");
    svg.text(Left - 6, y(t) + 4, digits(t, 1), A::End, "tick");
  }
  svg.text((Left + Width - Right) / 2, Height - 8,
           "flop per byte of compulsory traffic", A::Middle, "axis");
  svg.text(Left - 6, Top - 8, "TFLOP/s", A::End, "axis");
}

/// Numbers that would touch go to the next lane down.
void RoofPlot::drawShapes() {
  std::vector<std::pair<double, size_t>> order;
  for (auto [i, group] : enumerate(groups))
    if (group.facts.intensity() > 0)
      order.push_back({group.facts.intensity(), i});
  llvm::sort(order);
  std::vector<double> taken(3, -1e9); // right-most number of each lane
  for (auto [intensity, i] : order) {
    const double at = x(intensity);
    auto lane = find_if(taken, [&](double t) { return at - t > 18; });
    if (lane == taken.end())
      lane = min_element(taken);
    *lane = at;
    const double top = 14 + 15 * double(lane - taken.begin());
    svg.line(at, top + 4, at, Height - Bottom, "shape");
    svg.text(at, top, std::to_string(i + 1), Svg::Anchor::Middle, "number");
  }
}

void RoofPlot::drawRoof() {
  const double ridge = env.ffmaCeiling / env.copyBandwidth;
  // The slope may leave the plot below.
  const double left = std::max(x.low, y.low * 1e12 / env.copyBandwidth);
  svg.polyline(formatv("{0:f1},{1:f1} {2:f1},{3:f1} {4:f1},{3:f1}", x(left),
                       y(roofAt(left)), x(ridge), y(roofAt(ridge)), x(x.high))
                   .str(),
               "roof");
  svg.text(Width - Right - 4, y(roofAt(ridge)) - 7,
           "FFMA " + digits(env.ffmaCeiling / 1e12) + " TFLOP/s, copy " +
               digits(env.copyBandwidth / 1e12) + " TB/s",
           Svg::Anchor::End, "roof-label");
}

void RoofPlot::drawMarks() {
  constexpr double Near = 6, Step = 9; // pixels
  const KernelNumbers numbers(report);
  std::vector<std::pair<double, double>> drawn;
  for (const Row &row : report.rows) {
    const Figures f = figuresOf(row, report);
    if (!(f.flopsPerSecond > 0) || row.facts.intensity() <= 0)
      continue;
    double left = x(row.facts.intensity());
    const double top = y(*f.flopsPerSecond / 1e12);
    // Marks that would hide one another stand side by side.
    while (any_of(drawn, [&](const auto &other) {
      return std::fabs(other.first - left) < Near &&
             std::fabs(other.second - top) < Near;
    }))
      left += Step;
    drawn.push_back({left, top});
    svg.mark(left, top, numbers(row.kernel),
             row.kernel + ", " + row.shape + ": " +
                 digits(*f.flopsPerSecond / 1e12) + " TFLOP/s");
  }
}

std::string rooflineSvg(const Report &report) {
  const Environment &e = report.environment;
  if (e.ffmaCeiling <= 0 || e.copyBandwidth <= 0)
    return "";
  return RoofPlot(report).run();
}

} // namespace convopt::bench
