//===- ShapesCsv.cpp - Layers from a CSV file -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerFields.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>

using namespace llvm;

namespace convopt::bench {
namespace {

class CsvReader {
public:
  CsvReader(StringRef csv, StringRef file) : file(file) {
    csv.consume_front("\xEF\xBB\xBF"); // spreadsheets write one
    csv.split(lines, '\n');
  }

  Expected<std::vector<LayerShape>> run() {
    for (StringRef text : lines) {
      ++line;
      text = text.rtrim('\r');
      if (text.trim().empty())
        continue;
      bool isClosed = true;
      const std::vector<std::string> cells = split(text, isClosed);
      if (!columns.empty())
        readRow(cells, isClosed);
      else if (!isClosed)
        return refuseHere(NotClosed);
      else
        RETURN_IF_ERROR(readHeader(cells));
    }
    if (columns.empty())
      return refuseHere("the file has no line of column names");
    if (rows.empty())
      return refuseHere("the file has no rows");
    return rows;
  }

private:
  Error refuseHere(const Twine &message, const Twine &remedy = "") const {
    auto r =
        std::make_unique<Refusal>(ExitStatus::BadInput, "shape", message.str(),
                                  SourceRange{line, 1, line, 1}, remedy.str());
    r->file = file.str();
    return Error(std::move(r));
  }

  static constexpr const char *NotClosed = "a quote is not closed in this line";

  /// Cells of a line; a quoted one may hold commas and doubled quotes.
  static std::vector<std::string> split(StringRef text, bool &isClosed) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (size_t i = 0; i != text.size(); ++i) {
      if (text[i] == '"' && quoted && text.substr(i + 1).starts_with("\""))
        cells.back() += text[++i];
      else if (text[i] == '"')
        quoted = !quoted;
      else if (text[i] == ',' && !quoted)
        cells.emplace_back();
      else
        cells.back() += text[i];
    }
    isClosed = !quoted;
    for (std::string &cell : cells)
      cell = StringRef(cell).trim().str();
    return cells;
  }

  Error readHeader(ArrayRef<std::string> cells) {
    for (const std::string &name : cells) {
      if (!findField(name) && name != "name" && name != "set" && name != "note")
        return refuseHere("no column is called '" + name + "'",
                          "columns are name, set, note, " + fieldList(false));
      if (is_contained(columns, name))
        return refuseHere("the column '" + name + "' stands here twice");
      columns.push_back(name);
    }
    for (const LayerField &f : layerFields())
      if (f.needed != LayerField::Nowhere && !is_contained(columns, f.name))
        return refuseMissing(f.name);
    return is_contained(columns, "name") ? Error::success()
                                         : refuseMissing("name");
  }

  Error refuseMissing(StringRef column) const {
    return refuseHere("the column '" + column + "' is missing",
                      "needed are name, " + fieldList(true));
  }

  static std::string fieldList(bool needed) {
    std::vector<std::string> names;
    for (const LayerField &f : layerFields())
      if (!needed || f.needed != LayerField::Nowhere)
        names.push_back(f.name.str());
    return join(names, ", ");
  }

  /// What is wrong with a row is said in it: the others are good.
  void readRow(ArrayRef<std::string> cells, bool isClosed) {
    LayerShape row;
    const std::string problem =
        isClosed ? readCells(row, cells) : std::string(NotClosed);
    auto [at, isNew] = lineOf.try_emplace(row.name, line);
    if (!problem.empty())
      row.problem = problem;
    else if (!isNew)
      row.problem = "'" + row.name + "' is the name of the row in line " +
                    std::to_string(at->second) + ", too";
    const std::string here = "line " + std::to_string(line);
    if (!row.problem.empty()) {
      row.problem = file.str() + ", " + here + ": " + row.problem;
      // The good one of the same name is another row.
      if (row.name.empty() || !isNew)
        row.name = row.name.empty() ? here : row.name + ", " + here;
    }
    rows.push_back(std::move(row));
  }

  /// Fills \p row as far as it can be read; what is wrong, or nothing.
  std::string readCells(LayerShape &row, ArrayRef<std::string> cells) const {
    for (auto [name, cell] : zip(columns, cells))
      if (!findField(name))
        (name == "name" ? row.name : name == "set" ? row.set : row.note) = cell;
    if (cells.size() != columns.size()) {
      const size_t setAt = find(columns, "set") - columns.begin();
      row.isCut = setAt < columns.size() && setAt >= cells.size();
      return "this row has " + std::to_string(cells.size()) + " fields of " +
             std::to_string(columns.size()) +
             (cells.size() < columns.size()
                  ? "; is the file cut off here?"
                  : "; a field with a comma stands in quotes");
    }
    if (row.name.empty())
      return "this row has no name";
    for (auto [name, cell] : zip(columns, cells))
      if (const LayerField *f = findField(name))
        if (std::string wrong = setField(row, *f, cell); !wrong.empty())
          return wrong;
    return checkLayer(row);
  }

  StringRef file;
  SmallVector<StringRef> lines;
  unsigned line = 0;
  std::vector<std::string> columns;
  std::map<std::string, unsigned> lineOf;
  std::vector<LayerShape> rows;
};

} // namespace

Expected<std::vector<LayerShape>> parseShapes(StringRef csv, StringRef file) {
  return CsvReader(csv, file).run();
}

Expected<std::vector<LayerShape>> readShapes(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return refuse("shape", "cannot read the shapes in '" + path.str() +
                               "': " + buffer.getError().message());
  return parseShapes((*buffer)->getBuffer(), path);
}

} // namespace convopt::bench
