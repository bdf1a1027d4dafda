//===- Svg.cpp - Marks of an inline picture -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Svg.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace convopt::bench {

std::string escapeHtml(StringRef text) {
  std::string result;
  for (char c : json::fixUTF8(text)) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      const bool control = static_cast<unsigned char>(c) < 0x20;
      if (!control || c == '\n' || c == '\t')
        result += c;
      else if (c != '\r')
        result += "\xEF\xBF\xBD";
    }
  }
  return result;
}

KernelNumbers::KernelNumbers(const Report &report) {
  for (const Row &row : report.rows)
    if (!is_contained(kernels, row.kernel))
      kernels.push_back(row.kernel);
}

unsigned KernelNumbers::operator()(StringRef kernel) const {
  if (kernel == NaiveKernel)
    return 0;
  if (kernel == CudnnKernel)
    return Colours - 1;
  constexpr unsigned Others = Colours - 2;
  const auto before = make_range(kernels.begin(), find(kernels, kernel));
  const unsigned n = count_if(
      before, [](StringRef k) { return k != NaiveKernel && k != CudnnKernel; });
  return n / Others * Colours + 1 + n % Others;
}

Svg::Svg(double width, double height, StringRef label) {
  content = formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
                    "viewBox=\"0 0 {0:f0} {1:f0}\" aria-label=\"{2}\">\n",
                    width, height, escapeHtml(label))
                .str();
}

void Svg::line(double x1, double y1, double x2, double y2, StringRef cls) {
  content += formatv("<line x1=\"{0:f1}\" y1=\"{1:f1}\" x2=\"{2:f1}\" "
                     "y2=\"{3:f1}\" class=\"{4}\"/>\n",
                     x1, y1, x2, y2, cls)
                 .str();
}

void Svg::rect(double x, double y, double width, double height, StringRef cls,
               StringRef tip) {
  content += formatv("<rect x=\"{0:f1}\" y=\"{1:f1}\" width=\"{2:f1}\" "
                     "height=\"{3:f1}\" rx=\"2\" class=\"{4}\"><title>{5}"
                     "</title></rect>\n",
                     x, y, width, height, cls, escapeHtml(tip))
                 .str();
}

void Svg::text(double x, double y, StringRef text, Anchor anchor,
               StringRef cls) {
  static const char *const anchors[] = {"start", "middle", "end"};
  content += formatv("<text x=\"{0:f1}\" y=\"{1:f1}\" text-anchor=\"{2}\" "
                     "class=\"{3}\">{4}</text>\n",
                     x, y, anchors[unsigned(anchor)], cls, escapeHtml(text))
                 .str();
}

void Svg::polyline(StringRef points, StringRef cls) {
  content +=
      formatv("<polyline points=\"{0}\" class=\"{1}\"/>\n", points, cls).str();
}

void Svg::mark(double x, double y, unsigned number, StringRef tip) {
  // A circle, a square, a diamond, a triangle and a cross of about the same
  // size. Five forms and eight colours tell forty kernels apart.
  static const char *const forms[] = {
      "m -5,0 a 5,5 0 1,0 10,0 a 5,5 0 1,0 -10,0 z",
      "m -4.5,-4.5 h 9 v 9 h -9 z", "m 0,-6 l 6,6 l -6,6 l -6,-6 z",
      "m 0,-6 l 6,10.5 h -12 z",
      "m -2,-5.5 h 4 v 3.5 h 3.5 v 4 h -3.5 v 3.5 h -4 v -3.5 h -3.5 v -4 h "
      "3.5 z"};
  content += formatv("<path d=\"M {0:f1},{1:f1} {2}\" class=\"mark k{3}\">"
                     "<title>{4}</title></path>\n",
                     x, y, forms[number % std::size(forms)],
                     number % KernelNumbers::Colours, escapeHtml(tip))
                 .str();
}

} // namespace convopt::bench
