//===- ReportTest.cpp - Results as text -----------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerNests.h"
#include "Reports.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <set>

using namespace convopt;
using namespace convopt::bench;
using namespace convopt::test;

static testing::AssertionResult has(llvm::StringRef text,
                                    llvm::StringRef part) {
  return text.contains(part) ? testing::AssertionSuccess()
                             : testing::AssertionFailure()
                                   << "no '" << part.str() << "' in:\n"
                                   << text.str();
}

static std::string tableOf(const Report &report, unsigned columns) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printTable(report, os, columns);
  return text;
}

TEST(Figures, FollowFromTimesAndCeilings) {
  const Report report = sampleReport();
  const Figures f = figuresOf(report.rows[1], report);
  EXPECT_DOUBLE_EQ(*f.milliseconds, 20);
  EXPECT_DOUBLE_EQ(*f.flopsPerSecond, 30e12);
  EXPECT_DOUBLE_EQ(*f.bytesPerSecond, 1e11);
  EXPECT_DOUBLE_EQ(*f.ofCeiling, 30.0 / 65);
  EXPECT_DOUBLE_EQ(*f.ofCopy, 0.1 / 4.2);
  EXPECT_DOUBLE_EQ(*f.ofRoofline, 600.0 / 65 / 20);
  EXPECT_DOUBLE_EQ(*f.overNaive, 5);
  EXPECT_DOUBLE_EQ(*f.overCudnn, 0.8);
}

TEST(Figures, RatiosStayWithinAShapeAndAMode) {
  Report report = sampleReport();
  EXPECT_FALSE(figuresOf(report.rows[3], report).overCudnn);
  report.rows[0].cold.reset();
  EXPECT_FALSE(figuresOf(report.rows[1], report).overNaive);
  report.rows[1].cold.reset();
  EXPECT_DOUBLE_EQ(*figuresOf(report.rows[1], report).overNaive, 5);
  report.rows[0].status = Row::Status::Wrong;
  EXPECT_FALSE(figuresOf(report.rows[1], report).overNaive);
}

TEST(Figures, NoneForARowThatWasNotMeasured) {
  const Report report = sampleReport();
  for (const Row &row : report.rows) {
    const Figures f = figuresOf(row, report);
    const bool measured = row.status == Row::Status::Measured;
    EXPECT_EQ(f.milliseconds.has_value(), measured);
    EXPECT_EQ(f.flopsPerSecond.has_value(), measured);
    EXPECT_EQ(f.overNaive.has_value(), measured);
  }
}

TEST(Figures, NoSharesWithoutCeilings) {
  Report report = sampleReport();
  report.environment.ffmaCeiling = 0;
  const Figures f = figuresOf(report.rows[0], report);
  EXPECT_TRUE(f.flopsPerSecond);
  EXPECT_FALSE(f.ofCeiling);
  EXPECT_FALSE(f.ofRoofline);
}

TEST(Table, FitsEveryWidth) {
  Report report = sampleReport();
  report.rows[1].kernel += " -a-very-long-name-without-any-space-in-it,1,2,3,4";
  report.rows[2].note =
      "a note in UTF-8: \xC3\xA9\xC3\xA9\xC3\xA9, " + std::string(300, 'n');
  for (unsigned width = 80; width <= 200; ++width) {
    const std::string text = tableOf(report, width);
    for (llvm::StringRef line : llvm::split(text, '\n'))
      EXPECT_LE(line.size() - line.count('\xC3'), width) << line.str();
    for (llvm::StringRef needed : {"kernel", "TFLOP/s", "x naive", "x cuDNN"})
      EXPECT_TRUE(has(text, needed));
  }
  EXPECT_FALSE(llvm::StringRef(tableOf(report, 80)).contains("warm ms"));
  EXPECT_TRUE(has(tableOf(report, 200), "warm ms"));
}

TEST(Table, NarrowTerminalsGetEightyColumns) {
  EXPECT_EQ(tableOf(sampleReport(), 10), tableOf(sampleReport(), 80));
}

TEST(Table, SaysWhatWasNotMeasuredAndWhy) {
  const std::string text = tableOf(sampleReport(), 120);
  EXPECT_TRUE(has(text, "wrong: 2 of 9 outputs differ"));
  EXPECT_TRUE(has(text, "failed: out of memory"));
  EXPECT_TRUE(has(text, "above roof: 70 TFLOP/s of at most 65"));
  EXPECT_TRUE(has(text, "not run"));
  EXPECT_TRUE(has(text, "cuDNN FP32 (a): implicit GEMM"));
  EXPECT_TRUE(has(text, "6.3*"));
  EXPECT_TRUE(has(text, "*: time was up"));
  EXPECT_TRUE(has(text, " 20.00 pt "));
  EXPECT_TRUE(has(text, "p: packing is included"));
  EXPECT_TRUE(has(text, "(a): throttled while it was timed: power cap"));
  EXPECT_TRUE(has(text, "FFMA ceiling 65.0 TFLOP/s, copy 4.20 TB/s"));
}

TEST(Table, ShowsTheOnlyModeThatWasMeasured) {
  Report report = sampleReport();
  for (Row &row : report.rows)
    row.cold.reset();
  const std::string text = tableOf(report, 80);
  EXPECT_TRUE(has(text, "warm ms"));
  EXPECT_FALSE(llvm::StringRef(text).contains("cold ms"));
}

TEST(Table, WithoutAGpuShowsFactsAndSaysSo) {
  Report report = sampleReport();
  report.environment = Environment();
  for (Row &row : report.rows) {
    row.status = Row::Status::Static;
    row.reason = "";
  }
  const std::string text = tableOf(report, 80);
  EXPECT_TRUE(has(text, "Nothing was timed: "));
  EXPECT_TRUE(has(text, "600 Gflop, 2.00 GB, 300 flop/B\n"));
  EXPECT_TRUE(has(text, "regs"));
  EXPECT_FALSE(llvm::StringRef(text).contains("TFLOP/s"));
  EXPECT_FALSE(llvm::StringRef(text).contains("cold ms"));
}

TEST(Json, RoundTrips) {
  const Report report = sampleReport();
  const std::string text = toJson(report);
  auto back = readReport(text, "r.json");
  ASSERT_TRUE(bool(back)) << llvm::toString(back.takeError());
  EXPECT_EQ(toJson(*back), text);
  ASSERT_EQ(back->rows.size(), report.rows.size());
  EXPECT_EQ(back->rows[1].emitted, report.rows[1].emitted);
  EXPECT_EQ(back->rows[1].packing, "included");
  EXPECT_EQ(back->rows[1].cold->smClock, 1410);
  EXPECT_EQ(back->rows[1].cold->throttling, "power cap");
  EXPECT_FALSE(back->rows[0].packing);
  EXPECT_EQ(back->rows[1].cold->stop, Timing::Stop::TimeLimit);
  EXPECT_EQ(back->rows[4].status, Row::Status::Wrong);
  EXPECT_FALSE(back->rows[2].facts.registers);
  EXPECT_EQ(back->rows[1].facts.spillBytes, 0);
  EXPECT_EQ(back->environment.smClockAfter, 1965);
  EXPECT_EQ(back->environment.copyBandwidth, 4.2e12);
  EXPECT_EQ(back->source, report.source);
  EXPECT_EQ(tableOf(*back, 200), tableOf(report, 200));
}

TEST(Json, RefusesWhatIsNoResultsFile) {
  auto refused = [](const std::string &text) {
    return refusalOf(readReport(text, "r.json"));
  };
  auto changed = [&](llvm::StringRef from, llvm::StringRef to) {
    std::string text = toJson(sampleReport());
    text.replace(text.find(from.str()), from.size(), to.str());
    return refused(text);
  };
  EXPECT_TRUE(has(refused("{"), "'r.json' is no results file"));
  EXPECT_TRUE(has(refused("[]"), "does not say \"convopt_bench\": 1"));
  EXPECT_TRUE(has(changed("\"convopt_bench\": 1", "\"convopt_bench\": 2"),
                  "does not say"));
  EXPECT_TRUE(has(changed("\"status\": \"measured\"", "\"status\": \"fast\""),
                  "known words"));
  EXPECT_TRUE(has(changed("\"samples\": 25", "\"samples\": -1"), "a count"));
  EXPECT_TRUE(
      has(changed("\"median_ms\": 100", "\"median\": 100"), "missing value"));
  EXPECT_TRUE(has(changed("\"median_ms\": 100", "\"median_ms\": \"x\""),
                  "rows[0].cold.median_ms"));
}

TEST(Csv, QuotesAndKeepsSpeedsFromWrongRows) {
  const std::string text = toCsv(sampleReport());
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  ASSERT_EQ(lines.size(), 10u); // a header, 8 rows, the end
  EXPECT_TRUE(has(lines[2], "\"-tile=32,2,2 -reg=8,4\",a,"));
  EXPECT_TRUE(has(
      lines[2], ",measured,,20,0.063,25,1410,power cap,18,0.002,25,,,30,100,"));
  EXPECT_TRUE(has(lines[5], ",wrong,\"2 of 9 outputs differ, <first> at 3\","
                            ",,,,,,,,,,,,,,,,,,6e+11,2e+09,300,"));
  EXPECT_TRUE(has(text, "\"out of memory: 9 GB of 8, \"\"sorry\"\"\""));
}

TEST(Html, EscapesAndLeavesSpeedsOut) {
  const std::string text = toHtml(sampleReport());
  EXPECT_TRUE(has(text, "if (a &lt; b &amp;&amp; c &gt; 0)"));
  EXPECT_TRUE(has(text, "x = &quot;]]&gt;&quot;;"));
  EXPECT_TRUE(has(text, "<title>-tile=32,2,2 -reg=8,4, a: 30.0 TFLOP/s"));
  EXPECT_FALSE(llvm::StringRef(text).contains("-reg=8,4, b|2: "));
  EXPECT_FALSE(llvm::StringRef(text).contains("-tile=64,8,2, b|2: "));
  EXPECT_FALSE(llvm::StringRef(text).contains("<script"));
}

TEST(Html, TellsManyKernelsApart) {
  Report report = sampleReport();
  report.rows.clear();
  for (int k = 0; k != 20; ++k)
    report.rows.push_back(makeRow("kernel " + std::to_string(k), "a", 20));
  const std::string text = toHtml(report);
  llvm::StringRef rest = text;
  std::set<std::string> places, looks; // of the legend and the picture
  size_t marks = 0;
  while (true) {
    rest = rest.drop_front(std::min(rest.find("<path d=\"M "), rest.size()));
    if (!rest.consume_front("<path d=\"M "))
      break;
    const auto [place, look] = rest.split(" m ");
    looks.insert(look.split("><title>").first.str());
    // The legend has a mark in the middle of each of its pictures.
    if (place == "7.0,7.0")
      continue;
    ++marks;
    EXPECT_TRUE(places.insert(place.str()).second) << place.str();
  }
  EXPECT_EQ(looks.size(), 20u);
  EXPECT_EQ(marks, 20u);
}

TEST(Html, WithoutTimesHasNoPictures) {
  Report report = sampleReport();
  for (Row &row : report.rows)
    row.status = Row::Status::Static;
  report.environment = Environment();
  const std::string text = toHtml(report);
  EXPECT_TRUE(has(text, "Nothing was timed: "));
  EXPECT_FALSE(llvm::StringRef(text).contains("<svg"));
  EXPECT_TRUE(has(text, "Resources"));
}

TEST(WriteReport, GoesByTheExtension) {
  EXPECT_TRUE(has(refusalOf(llvm::Expected<int>(checkReportPath("a.txt"))),
                  "'a.txt' does not say what to write"));
  for (const char *path : {"a.json", "a.csv", "a.md", "a.html"})
    EXPECT_FALSE(bool(checkReportPath(path)));
}

TEST(RenderBenchmarks, PutsFindingsBesideResults) {
  const Section noted{"2026-01-01-x", std::nullopt, "# Old one\n\nAs found."};
  const Section both{"2026-02-02-y", sampleReport(), "Fast."};
  const std::string text = renderBenchmarks({both, noted});
  EXPECT_TRUE(has(text, "\n## 2026-02-02-y\n\nFast.\n\n**a**"));
  EXPECT_TRUE(has(text, "[results/2026-02-02-y.json]"));
  EXPECT_TRUE(has(text, "\n## Old one\n\nAs found.\n"));
}

TEST(ReadSections, RefusesFoldersWithoutResults) {
  llvm::SmallString<64> folder;
  llvm::sys::fs::createUniquePath("results-%%%%%%%%", folder, true);
  EXPECT_TRUE(has(refusalOf(readSections(folder)),
                  ("cannot read '" + folder + "': No such file").str()));
}

TEST(Markdown, EscapesCells) {
  const std::string text = toMarkdown(sampleReport());
  EXPECT_TRUE(has(text, "**b\\|2**"));
  EXPECT_TRUE(has(text, "\\<first\\> at 3"));
  EXPECT_TRUE(has(text, "| kernel | cold ms | +-% |"));
  EXPECT_TRUE(has(text, "|---|---:|---:|"));
}
