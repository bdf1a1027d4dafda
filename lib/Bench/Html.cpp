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

#include "HtmlStyle.h"
#include "Svg.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace llvm;

namespace convopt::bench {
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
