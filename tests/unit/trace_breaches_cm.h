/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_TRACE_BREACHES_CM_H
#define NDPDK_UNIT_TRACE_BREACHES_CM_H

#include "unit/trace_scene.h"

/* Scenes for test_trace_cm.c: a REQ with a wrong byte, rejected messages, data after a DREQ. */

/* Send a REQ in which the byte at this offset of its MAD is changed. */
static inline uint64_t
header_byte(struct scene *scene, unsigned at, uint8_t value)
{
	struct wire_cm_msg req = scene_req();
	uint8_t mad[LIMIT_MAD_BYTES];

	wire_cm_encode(&req, mad);
	mad[at] = value;
	return scene_mad(scene, A, mad);
}

static inline uint64_t
reserved_byte_of_header(struct scene *scene)
{
	return header_byte(scene, 19, 0x01);
}

static inline uint64_t
status_of_header(struct scene *scene)
{
	return header_byte(scene, 5, 0x04);
}

static inline uint64_t
reserved_bits_of_alternate(struct scene *scene)
{
	return header_byte(scene, 24 + 138, 0x02);
}

static inline uint64_t
transport_undefined(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();

	req.req.transport_service = 3;
	return scene_cm(scene, A, &req);
}

static inline uint64_t
transport_of_data(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep();
	uint64_t frame;

	req.req.transport_service = 1;
	frame = scene_cm(scene, A, &req);
	scene_cm(scene, B, &rep);
	SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_A, .bytes = 8);
	SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_A + 1, .bytes = 8);
	return frame;
}

static inline uint64_t
private_header_major(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();

	req.private_data[0] = 0x10;
	return scene_cm(scene, A, &req);
}

static inline uint64_t
private_header_minor(struct scene *scene)
{
	struct wire_cm_msg req = scene_req();

	req.private_data[0] = 0x01;
	return scene_cm(scene, A, &req);
}

static inline uint64_t
rej_of_passive_names_rep(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rej = scene_msg(B, WIRE_CM_REJ);

	scene_cm(scene, A, &req);
	rej.rej.message = 1;
	rej.rej.reason = WIRE_REJ_CONSUMER;
	return scene_cm(scene, B, &rej);
}

static inline uint64_t
rej_of_active_names_req(struct scene *scene)
{
	struct wire_cm_msg req = scene_req(), rep = scene_rep(), rej = scene_msg(A, WIRE_CM_REJ);

	scene_cm(scene, A, &req);
	scene_cm(scene, B, &rep);
	rej.rej.message = 0;
	rej.rej.reason = WIRE_REJ_CONSUMER;
	return scene_cm(scene, A, &rej);
}

static inline uint64_t
data_after_own_dreq(struct scene *scene)
{
	struct wire_cm_msg dreq = scene_msg(A, WIRE_CM_DREQ);

	scene_connect(scene);
	scene_cm(scene, A, &dreq);
	scene->now_ns += SECOND / 20;
	SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_A, .bytes = 8);
	SEND(scene, .from = B, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_B, .bytes = 8);
	scene->now_ns += SECOND / 10;
	return SEND(scene, .opcode = WIRE_RC_SEND_ONLY, .psn = SCENE_PSN_A + 1, .bytes = 8);
}

#endif
