/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <ndpdk/nd_model.h>

#include <stdlib.h>

struct nd_model *
nd_model_open(const struct nd_trace_config *config)
{
	(void)config;
	return NULL;
}

void
nd_model_close(struct nd_model *model)
{
	(void)model;
}

void
nd_model_frame(struct nd_model *model, uint64_t time_ns, const void *frame, size_t captured_bytes,
	size_t wire_bytes)
{
	(void)model;
	(void)time_ns;
	(void)frame;
	(void)captured_bytes;
	(void)wire_bytes;
}

bool
nd_model_finish(struct nd_model *model)
{
	(void)model;
	return false;
}

const struct nd_trace *
nd_model_trace(const struct nd_model *model)
{
	(void)model;
	return NULL;
}

bool
nd_model_decode(const void *frame, size_t bytes, struct nd_model_headers *headers)
{
	(void)frame;
	(void)bytes;
	(void)headers;
	return false;
}

uint64_t
nd_model_frame_count(const struct nd_model *model)
{
	(void)model;
	return 0;
}

bool
nd_model_frame_get(const struct nd_model *model, uint64_t number, struct nd_model_frame *frame)
{
	(void)model;
	(void)number;
	(void)frame;
	return false;
}

const uint8_t *
nd_model_frame_bytes(const struct nd_model *model, uint64_t number, size_t *bytes)
{
	(void)model;
	(void)number;
	(void)bytes;
	return NULL;
}

size_t
nd_model_connection_count(const struct nd_model *model)
{
	(void)model;
	return 0;
}

const struct nd_model_connection *
nd_model_connection(const struct nd_model *model, size_t index)
{
	(void)model;
	(void)index;
	return NULL;
}

bool
nd_model_cm(const struct nd_model *model, size_t connection, size_t index,
	struct nd_model_cm_message *message)
{
	(void)model;
	(void)connection;
	(void)index;
	(void)message;
	return false;
}

const struct nd_model_operation *
nd_model_operation(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	(void)model;
	(void)connection;
	(void)side;
	(void)index;
	return NULL;
}

size_t
nd_model_payload(const struct nd_model *model, size_t connection, unsigned side, size_t index,
	uint64_t offset, uint8_t *to, uint8_t *known, size_t bytes)
{
	(void)model;
	(void)connection;
	(void)side;
	(void)index;
	(void)offset;
	(void)to;
	(void)known;
	(void)bytes;
	return 0;
}

uint64_t
nd_model_payload_known(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	(void)model;
	(void)connection;
	(void)side;
	(void)index;
	return 0;
}

uint64_t
nd_model_repeat(
	const struct nd_model *model, size_t connection, unsigned side, size_t index, size_t n)
{
	(void)model;
	(void)connection;
	(void)side;
	(void)index;
	(void)n;
	return 0;
}

const struct nd_model_receive *
nd_model_receive(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	(void)model;
	(void)connection;
	(void)side;
	(void)index;
	return NULL;
}

const struct nd_model_key *
nd_model_key(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	(void)model;
	(void)connection;
	(void)side;
	(void)index;
	return NULL;
}

const struct nd_model_refusal *
nd_model_refusal(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	(void)model;
	(void)connection;
	(void)side;
	(void)index;
	return NULL;
}

size_t
nd_model_memory_count(const struct nd_model *model, size_t connection, unsigned side)
{
	(void)model;
	(void)connection;
	(void)side;
	return 0;
}

const struct nd_model_memory_event *
nd_model_memory_event(const struct nd_model *model, size_t connection, unsigned side, size_t index)
{
	(void)model;
	(void)connection;
	(void)side;
	(void)index;
	return NULL;
}

size_t
nd_model_memory(const struct nd_model *model, size_t connection, unsigned side, size_t index,
	uint64_t address, uint8_t *to, uint8_t *known, size_t bytes)
{
	(void)model;
	(void)connection;
	(void)side;
	(void)index;
	(void)address;
	(void)to;
	(void)known;
	(void)bytes;
	return 0;
}

size_t
nd_model_fault_count(const struct nd_model *model)
{
	(void)model;
	return 0;
}

const struct nd_model_fault *
nd_model_fault(const struct nd_model *model, size_t index)
{
	(void)model;
	(void)index;
	return NULL;
}

size_t
nd_model_limit_count(const struct nd_model *model)
{
	(void)model;
	return 0;
}

const struct nd_model_limit *
nd_model_limit(const struct nd_model *model, size_t index)
{
	(void)model;
	(void)index;
	return NULL;
}
