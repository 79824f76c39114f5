/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_REQUEST_H
#define NDPDK_PROMPT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

/* A request of the control socket, and its answer, as lines of JSON. */

struct client_request {
	bool is_busy;           /**< the request is being executed, and its answer follows later */
	struct json_object *id; /**< the request's member id; NULL = JSON null */
	struct answer answer;
	struct json_object *reply; /**< the answer as JSON; set by request_answer() */
};

/** Execute a line. @param request must be all zero, or request_forget() was called */
void request_execute(
	struct prompt *prompt, struct client_request *request, const char *line, size_t length);

/** Advance a busy request. @return true if its answer is complete now */
bool request_is_over(struct prompt *prompt, struct client_request *request);

void request_refuse(struct client_request *request, const char *why);

/** @return the answer as one line without line feed; valid until request_forget() */
const char *request_answer(struct client_request *request);

void request_forget(struct client_request *request);

#endif
