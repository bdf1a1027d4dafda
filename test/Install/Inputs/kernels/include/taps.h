#pragma once
#include "more.h"
