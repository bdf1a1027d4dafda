//===- StepTest.cpp -------------------------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Step.h"
#include "convopt/Support/Refusal.h"
#include "gtest/gtest.h"

using namespace convopt;

static std::string messageOf(llvm::Error e) {
  std::string text;
  llvm::raw_string_ostream os(text);
  report(std::move(e), os, "");
  return os.str();
}

TEST(StepTest, WhatPrintsParsesToTheSame) {
  for (const char *text :
       {"scalar-replace=out", "strip-mine=y,16", "strip-mine=y,16,y_b,y_t",
        "interchange=a,b,c", "distribute=y_r", "unroll=y_r", "map=x_b,grid.x",
        "map=x,serial", "map=x,launch", "map=x,stream:2", "register-tile=y_r",
        "register-tile=y,8", "stage=in,c,shared,bulk",
        "stage=in,c,shared,in_b,depth:2,bulk", "stage=in,bulk,registers",
        "stage=in,c,shared,depth:2,tensor", "stage=tensor,c,shared",
        "stage=in,c,shared,order:1.0,swizzle:4", "stage=bulk,c,shared"}) {
    llvm::Expected<Step> step = parseStep(text);
    ASSERT_TRUE(bool(step)) << messageOf(step.takeError());
    EXPECT_EQ(step->str(), text);
  }
}

TEST(StepTest, SpacesAreLeftOut) {
  llvm::Expected<Step> step = parseStep("  strip-mine = y , 16 ");
  ASSERT_TRUE(bool(step)) << messageOf(step.takeError());
  EXPECT_EQ(step->str(), "strip-mine=y,16");
}

TEST(StepTest, RefusesWhatIsNoStep) {
  for (const char *text : {"",
                           "=",
                           "fold=x",
                           "unroll",
                           "unroll=",
                           "unroll=a,b",
                           "strip-mine=y",
                           "strip-mine=y,1,a",
                           "strip-mine=y,1,a,b,c",
                           "strip-mine=y,1.5",
                           "strip-mine=,4",
                           "interchange=a,,b",
                           "map=x",
                           "map=x,grid.w",
                           "map=x,grid.x,y",
                           "map=x,launch:2",
                           "map=x,stream:",
                           "map=x,stream:two",
                           "map=x,grid.x:2",
                           "register-tile=y,8,z",
                           "scalar-replace=a,b"}) {
    llvm::Expected<Step> step = parseStep(text);
    EXPECT_FALSE(bool(step)) << text;
    if (!step) {
      EXPECT_NE(messageOf(step.takeError()).find("[usage]"), std::string::npos);
    }
  }
}

TEST(StepTest, AScheduleKnowsItsLines) {
  llvm::Expected<std::vector<Step>> steps =
      parseSchedule("# a comment\n\nunroll=a # why\r\n  unroll=b", "f.sched");
  ASSERT_TRUE(bool(steps)) << messageOf(steps.takeError());
  ASSERT_EQ(steps->size(), 2u);
  EXPECT_EQ((*steps)[0].line, 3u);
  EXPECT_EQ((*steps)[1].line, 4u);
  EXPECT_EQ(str(*steps), "unroll=a\nunroll=b\n");

  llvm::Expected<std::vector<Step>> wrong =
      parseSchedule("unroll=a\nfold=b\n", "f.sched");
  ASSERT_FALSE(bool(wrong));
  EXPECT_EQ(messageOf(wrong.takeError()).rfind("f.sched:2:1: error:", 0), 0u);
}
