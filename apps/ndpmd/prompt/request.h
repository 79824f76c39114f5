/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_REQUEST_H
#define NDPDK_PROMPT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

/* A request of the control socket, and its answer, as lines of JSON. */

struct client_request {
	bool is_busy;           /**< the answer is not complete yet */
	struct json_object *id; /**< id of the request; NULL = null */
	struct answer answer;
	struct json_object *reply; /**< the answer as JSON, after request_answer() */
};

/** Execute a line. @param request all zero, or after request_forget() */
void request_execute(
	struct prompt *prompt, struct client_request *request, const char *line, size_t length);

/** Advance a busy request. @return whether its answer is complete now */
bool request_is_over(struct prompt *prompt, struct client_request *request);

/** Answer with an error message. */
void request_refuse(struct client_request *request, const char *why);

/** @return the answer as one line without line feed; valid until request_forget() */
const char *request_answer(struct client_request *request);

void request_forget(struct client_request *request);

#endif
