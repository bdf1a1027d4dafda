#pragma once
#define WIDTH (TAPS + EXTRA)
