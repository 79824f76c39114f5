/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "support/engines.h"

#include <stdlib.h>

uint32_t
test_engines(void)
{
	const char *text = getenv("NDPDK_TEST_ENGINES");

	return text == NULL ? 1 : (uint32_t)strtoul(text, NULL, 10);
}

struct nd_engine *
test_home(struct nd_adapter *adapter)
{
	return nd_adapter_get_engine(adapter, nd_adapter_engine_count(adapter) - 1);
}

unsigned int
test_poll(struct nd_adapter *adapter)
{
	unsigned int moved = 0;

	for (size_t i = 0; i < nd_adapter_engine_count(adapter); i++)
		moved += nd_engine_poll(nd_adapter_get_engine(adapter, i));
	return moved;
}
