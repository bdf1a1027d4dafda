//===- Html.cpp - A report as a page --------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// HTML that is XML, too: parsers of either take it. It loads nothing and runs
/// nothing.
///
//===----------------------------------------------------------------------===//

#include "Svg.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace llvm;

namespace convopt::bench {

/// No `<`, `>` or `&`: it stands in a page that is XML, too.
static constexpr const char *HtmlStyle = R"(
:root { color-scheme: light dark;
  --page: #fff; --ink: #1f2328; --soft: #59636e; --rule: #d1d9e0;
  --panel: #f6f8fa; --bad: #b42318; --shade: #1f232833;
  --k0: #6b7280; --k1: #2563eb; --k2: #d97706; --k3: #059669;
  --k4: #c026d3; --k5: #dc2626; --k6: #0891b2; --k7: #7c3aed; }
@media (prefers-color-scheme: dark) { :root {
  --page: #0d1117; --ink: #e6edf3; --soft: #9198a1; --rule: #30363d;
  --panel: #151b23; --bad: #ff7b72; --shade: #e6edf355;
  --k0: #9ca3af; --k1: #60a5fa; --k2: #fbbf24; --k3: #34d399;
  --k4: #e879f9; --k5: #f87171; --k6: #22d3ee; --k7: #a78bfa; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem;
  background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans",
  sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem;
  border-bottom: 1px solid var(--rule); padding-bottom: .25rem; }
p { margin: .25rem 0; }
p.soft, figcaption, td.soft { color: var(--soft); }
code, pre { font: 12.5px/1.45 ui-monospace, SFMono-Regular, Menlo,
  "DejaVu Sans Mono", monospace; }
p code { overflow-wrap: anywhere; }
/* A shade at the edge behind which more of it is. */
.wide { overflow-x: auto; background:
  linear-gradient(to right, var(--page) 40%, transparent) left / 3rem 100%
    no-repeat local,
  linear-gradient(to left, var(--page) 40%, transparent) right / 3rem 100%
    no-repeat local,
  linear-gradient(to right, var(--shade), transparent) left / 1rem 100%
    no-repeat,
  linear-gradient(to left, var(--shade), transparent) right / 1rem 100%
    no-repeat; }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums;
  font-size: 13.5px; margin: .5rem 0; }
th, td { padding: .2rem .6rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--rule); }
th { color: var(--soft); font-weight: 600; }
th.text, td.text { text-align: left; }
td.shapes { white-space: normal; min-width: 12rem; }
td.kernel { white-space: normal; min-width: min(14rem, 30vw); }
td.kernel, th:first-child { position: sticky; left: 0;
  background: var(--page); }
.word { display: inline-block; max-width: 100%; overflow-wrap: anywhere; }
tr.shape td { text-align: left; white-space: normal; padding-top: 1rem; }
/* Stays in view while figures move. */
tr.shape div { position: sticky; left: .6rem; width: max-content;
  max-width: calc(100vw - 4.2rem); }
.bad { color: var(--bad); }
ul.legend, ol.shapes { list-style-position: inside; padding: 0;
  margin: .25rem 0; display: flex; flex-wrap: wrap; gap: .15rem 1.4rem;
  font-size: 13px; }
ul.legend { list-style: none; }
ul.legend svg { width: 14px; height: 14px; vertical-align: -2px;
  margin-right: .35rem; display: inline; }
svg { display: block; width: 100%; height: auto; font-size: 12px; }
.wide svg { min-width: 42rem; }
svg text { fill: var(--ink); }
svg .tick, svg .axis, svg .none, svg .number { fill: var(--soft); }
svg .number { font-size: 11px; }
svg .none { font-style: italic; }
svg .value, svg .roof-label { paint-order: stroke; stroke: var(--page);
  stroke-width: 4px; stroke-linejoin: round; }
svg .title { font-weight: 600; }
svg .roof-label { font-weight: 600; }
svg .grid { stroke: var(--rule); stroke-width: .6; }
svg .shape { stroke: var(--rule); stroke-dasharray: 2 3; }
svg .base { stroke: var(--soft); }
svg .roof { stroke: var(--ink); stroke-width: 2; fill: none; }
svg .mark { stroke: var(--page); stroke-width: .8; }
.k0 { fill: var(--k0); } .k1 { fill: var(--k1); } .k2 { fill: var(--k2); }
.k3 { fill: var(--k3); } .k4 { fill: var(--k4); } .k5 { fill: var(--k5); }
.k6 { fill: var(--k6); } .k7 { fill: var(--k7); }
details { margin: .5rem 0; }
summary { cursor: pointer; }
.pair { display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
.pair figure { margin: .5rem 0; min-width: 0; }
pre { background: var(--panel); border: 1px solid var(--rule);
  border-radius: 6px; padding: .75rem; margin: .25rem 0; overflow: auto;
  max-height: 40rem; }
@media print { pre { max-height: none; } .wide { overflow: visible; } }
)";

namespace {

/// Words as they are, which browsers would break behind a hyphen.
std::string inWords(StringRef text) {
  return join(map_range(split(text, ' '),
                        [](StringRef word) {
                          return "<span class=\"word\">" + escapeHtml(word) +
                                 "</span>";
                        }),
              " ");
}

class Page {
public:
  explicit Page(const Report &report) : report(report) {
    for (const Column &c : columnsFor(report))
      (c.resource ? resources : figures).push_back(c);
  }

  std::string run() {
    addHead();
    addPictures();
    addResults();
    addResources();
    addCode();
    text += "</body>\n</html>\n";
    return std::move(text);
  }

private:
  void addHead();
  void addPictures();
  void addLegend();
  void addResults();
  void addResources();
  void addCode();
  void addHeads(ArrayRef<Column> columns, StringRef more = "");
  void addCells(const Row &row, ArrayRef<Column> columns);
  void add(StringRef element, StringRef cls, StringRef content) {
    text += formatv("<{0}{1}>{2}</{0}>\n", element,
                    cls.empty() ? "" : (" class=\"" + cls + "\"").str(),
                    escapeHtml(content))
                .str();
  }

  const Report &report;
  std::vector<Column> figures, resources;
  std::string text;
};

void Page::addHead() {
  const std::string title = "convopt-bench: " + report.sourceName;
  text += "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
          "lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\"/>\n";
  add("title", "", title);
  text += std::string("<style>") + HtmlStyle + "</style>\n</head>\n<body>\n";
  add("h1", "", title);
  for (const std::string &line : environmentLines(report))
    add("p", "soft", line);
  if (!report.environment.command.empty())
    text += "<p class=\"soft\"><code>" + inWords(report.environment.command) +
            "</code></p>\n";
}

void Page::addLegend() {
  const KernelNumbers numbers(report);
  text += "<ul class=\"legend\">\n";
  for (const std::string &name : numbers.names()) {
    Svg svg(14, 14, name);
    svg.mark(7, 7, numbers(name), name);
    text += "<li>" + svg.str() + inWords(name) + "</li>\n";
  }
  text += "</ul>\n";
}

void Page::addPictures() {
  if (none_of(report.rows, [](const Row &row) {
        return row.status == Row::Status::Measured;
      }))
    return;
  if (std::string picture = rooflineSvg(report); !picture.empty()) {
    add("h2", "", "Roofline");
    addLegend();
    text +=
        "<div class=\"wide\">" + picture + "</div>\n<ol class=\"shapes\">\n";
    for (const ShapeGroup &group : byShape(report))
      add("li", "", group.shape);
    text += "</ol>\n";
  }
  add("h2", "", "Speed by shape");
  if (report.environment.ffmaCeiling > 0)
    add("p", "soft",
        "The upright line is the roof of the shape: no kernel that does this "
        "arithmetic can be faster. A transform does less and may pass it.");
  text += "<div class=\"wide\">" + barsSvg(report) + "</div>\n";
}

void Page::addHeads(ArrayRef<Column> columns, StringRef more) {
  text += "<tr>";
  for (const Column &c : columns)
    add("th", c.text ? "text" : "", c.title);
  if (!more.empty())
    add("th", "text", more);
  text += "</tr>\n";
}

void Page::addCells(const Row &row, ArrayRef<Column> columns) {
  const Figures f = figuresOf(row, report);
  for (const Column &c : columns)
    if (c.rank == 0)
      text +=
          "<td class=\"text kernel\">" + inWords(c.cell(row, f)) + "</td>\n";
    else
      add("td", c.text ? "text" : "", c.cell(row, f));
}

void Page::addResults() {
  add("h2", "", "Results");
  text += "<div class=\"wide\"><table>\n<thead>";
  addHeads(figures);
  text += "</thead>\n<tbody>\n";
  for (const ShapeGroup &group : byShape(report)) {
    text += formatv("<tr class=\"shape\"><td colspan=\"{0}\"><div>"
                    "<strong>{1}</strong><br/>{2}</div></td></tr>\n",
                    figures.size(), escapeHtml(titleOf(group)),
                    escapeHtml(workOf(group, report.environment)))
                .str();
    for (const Row *row : group.rows) {
      text += row->status == Row::Status::Measured ||
                      row->status == Row::Status::Static
                  ? "<tr>"
                  : "<tr class=\"bad\">";
      addCells(*row, figures);
      text += "</tr>\n";
    }
  }
  text += "</tbody></table></div>\n";
  for (const std::string &line : remarksOn(report))
    add("p", "soft", line);
}

/// A kernel that asks for the same at every shape has one line.
void Page::addResources() {
  if (resources.empty())
    return;
  std::vector<Column> columns{figures.front()};
  append_range(columns, resources);
  add("h2", "", "Resources");
  text += "<div class=\"wide\"><table>\n<thead>";
  addHeads(columns, "shapes");
  text += "</thead>\n<tbody>\n";
  // A line for each kernel and what it takes, with the shapes for which.
  std::vector<std::pair<std::vector<std::string>, const Row *>> lines;
  std::map<std::vector<std::string>, std::vector<std::string>> shapesOf;
  for (const Row &row : report.rows) {
    std::vector<std::string> cells;
    for (const Column &c : columns)
      cells.push_back(c.cell(row, figuresOf(row, report)));
    if (all_of(drop_begin(cells), [](auto &c) { return c.empty(); }))
      continue;
    std::vector<std::string> &shapes = shapesOf[cells];
    if (shapes.empty())
      lines.push_back({cells, &row});
    shapes.push_back(row.shape);
  }
  const KernelNumbers numbers(report);
  llvm::stable_sort(lines, [&](const auto &a, const auto &b) {
    return numbers(a.second->kernel) < numbers(b.second->kernel);
  });
  for (const auto &[cells, row] : lines) {
    text += "<tr>";
    addCells(*row, columns);
    add("td", "text shapes", join(shapesOf[cells], ", "));
    text += "</tr>\n";
  }
  text += "</tbody></table></div>\n";
}

void Page::addCode() {
  auto pane = [&](StringRef title, StringRef code) {
    text += "<figure>\n";
    add("figcaption", "", title);
    add("pre", "", code);
    text += "</figure>\n";
  };
  std::set<std::pair<std::string, std::string>> seen;
  for (const Row &row : report.rows) {
    if (row.emitted.empty() || !seen.insert({row.kernel, row.emitted}).second)
      continue;
    if (seen.size() == 1)
      add("h2", "", "Source and emitted kernels");
    text += seen.size() == 1 ? "<details open=\"open\">" : "<details>";
    add("summary", "", row.kernel);
    text += "<div class=\"pair\">\n";
    pane(report.sourceName, report.source);
    pane(row.kernel, row.emitted);
    text += "</div></details>\n";
  }
}

} // namespace

std::string toHtml(const Report &report) { return Page(report).run(); }

} // namespace convopt::bench
