/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/end_words.h"

#include <stdio.h>

#include <ndpdk/nd_end.h>

const char *
end_words(struct nd_connector *connector, char *to)
{
	struct nd_end end = {.reason = ND_END_NONE};

	to[0] = '\0';
	if (connector != NULL)
		nd_connector_get_end_reason(connector, &end);
	if (end.reason != ND_END_NONE && end.reason != ND_END_PEER_DISCONNECT &&
		end.reason != ND_END_LOCAL_DISCONNECT)
		snprintf(to, END_WORDS_BYTES, " (%s)", nd_end_reason_text(end.reason));
	return to;
}
