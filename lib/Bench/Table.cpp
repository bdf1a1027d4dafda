//===- Table.cpp - A report on a terminal ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "llvm/Support/Unicode.h"

using namespace llvm;

namespace convopt::bench {

/// Places that \p text takes on a terminal.
static size_t widthOf(StringRef text) {
  const int width = sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : width;
}

/// Cuts \p text into lines of at most \p width, between words where it can.
static std::vector<std::string> wrap(StringRef text, size_t width) {
  std::vector<std::string> lines;
  while (widthOf(text) > width) {
    size_t end = 0; // bytes that fit, whole characters
    for (size_t next = 0;
         next < text.size() && widthOf(text.take_front(next)) <= width; ++next)
      if ((text[next] & 0xC0) != 0x80)
        end = next;
    const size_t space = text.take_front(end + 1).rfind(' ');
    const bool atSpace = space != StringRef::npos && space != 0;
    lines.push_back(
        text.take_front(atSpace ? space : std::max<size_t>(end, 1)).str());
    text = text.drop_front(lines.back().size()).ltrim(' ');
  }
  lines.push_back(text.str());
  return lines;
}

namespace {

class Table {
public:
  Table(const Report &report, raw_ostream &os, size_t width)
      : report(report), os(os), width(width), columns(columnsFor(report)) {
    size_t longest = 0;
    for (const Row &row : report.rows)
      longest = std::max(longest, widthOf(row.kernel));
    // Names wrap before they push figures out.
    nameWidth = std::min(longest, std::max<size_t>(width / 4, 22));
    for (const Column &c : columns) {
      size_t w = widthOf(c.title);
      for (const Row &row : report.rows)
        w = std::max(w, widthOf(c.cell(row, figuresOf(row, report))));
      widths.push_back(c.rank == 0 ? nameWidth : w);
    }
    while (total() > width && columns.size() > 1)
      dropOne();
  }

  void print() {
    for (const ShapeGroup &group : byShape(report)) {
      printWrapped(titleOf(group));
      printWrapped(workOf(group, report.environment));
      printLine([](const Column &c) { return c.title.str(); });
      for (const Row *row : group.rows)
        printRow(*row);
      os << '\n';
    }
    for (const std::string &line : remarksOn(report))
      printWrapped(line);
    for (const std::string &line : environmentLines(report))
      printWrapped(line);
  }

private:
  size_t total() const {
    size_t sum = 0;
    for (size_t w : widths)
      sum += w + 2;
    return sum - 2;
  }

  void dropOne() {
    auto least = max_element(columns, [](const Column &a, const Column &b) {
      return a.rank < b.rank;
    });
    widths.erase(widths.begin() + (least - columns.begin()));
    columns.erase(least);
  }

  void printRow(const Row &row) {
    const Figures figures = figuresOf(row, report);
    const std::vector<std::string> name = wrap(row.kernel, nameWidth);
    printLine([&](const Column &c) {
      return c.rank == 0 ? name.front() : c.cell(row, figures);
    });
    for (const std::string &rest : drop_begin(name))
      os << rest << '\n';
  }

  template <class T> void printLine(T cell) {
    std::string line;
    for (auto [c, w] : zip(columns, widths)) {
      const std::string text = cell(c);
      const std::string pad(w - std::min(w, widthOf(text)), ' ');
      line += (line.empty() ? "" : "  ") + (c.text ? text + pad : pad + text);
    }
    os << StringRef(line).rtrim() << '\n';
  }

  void printWrapped(StringRef text) {
    static constexpr StringRef indent = "  ";
    if (text.empty())
      return;
    std::vector<std::string> lines = wrap(text, width - indent.size());
    os << lines.front() << '\n';
    for (const std::string &line : drop_begin(lines))
      os << indent << line << '\n';
  }

  const Report &report;
  raw_ostream &os;
  size_t width, nameWidth;
  std::vector<Column> columns;
  std::vector<size_t> widths;
};

} // namespace

void printTable(const Report &report, raw_ostream &os, unsigned columns) {
  Table(report, os, std::max(columns, 80u)).print();
}

} // namespace convopt::bench
