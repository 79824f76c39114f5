/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_MODEL_H
#define NDPDK_ND_MODEL_H

/**
 * @file
 * A model of captured RoCEv2 conversations. For each connection it contains the data of the CM
 * exchange, the posted operations of both sides with order and payload, receives, keys, and the
 * known contents of memory. The model also contains the role of each frame, faults of the network,
 * and the limits of the capture.
 *
 * The program passes the frames to a model one by one, in capture order. nd_model_finish() builds
 * the model; then it can be queried. A model keeps all RoCEv2 frames, and memory for each frame and
 * operation, so it grows with the capture; nd_trace.h does not. Any thread may call, but only one
 * at a time for each model. After nd_model_finish() any number of threads may query at once.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model_types.h>
#include <ndpdk/nd_model_work.h>
#include <ndpdk/nd_trace.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/**
 * @addtogroup nd_model
 * @{
 */

/** A model of a capture; opaque. Created by nd_model_open(), freed by nd_model_close(). */
struct nd_model;

struct nd_model *nd_model_open_sized(const struct nd_trace_config *config, size_t size);

/**
 * Create a model.
 *
 * @param config configuration of the trace in the model (nd_model_trace()), copied; NULL = all zero
 * @return a model without frames, to be freed with nd_model_close(); NULL if memory is exhausted,
 *         or if config sets members of a newer version
 * @note Threads: any, one at a time for a model.
 */
static inline struct nd_model *
nd_model_open(const struct nd_trace_config *config)
{
	return nd_model_open_sized(config, sizeof(*config));
}

/**
 * Free a model and everything that was returned from it. NULL is allowed.
 * @note Threads: any, one at a time for a model.
 */
void nd_model_close(struct nd_model *model);

/**
 * Pass the next frame to the model. Call this only before nd_model_finish(). The call never fails:
 * if memory is exhausted, the frame is only counted, and nd_model_finish() returns false.
 *
 * @param time_ns capture time
 * @param frame Ethernet frame without FCS; copied if it is RoCEv2
 * @param captured_bytes length of frame; 0 is allowed
 * @param wire_bytes length of the frame on the wire, at least captured_bytes
 * @note Threads: any, one at a time for a model.
 */
void nd_model_frame(struct nd_model *model, uint64_t time_ns, const void *frame,
	size_t captured_bytes, size_t wire_bytes);

/**
 * Build the model from all frames. Call once, after the last frame and before any query.
 *
 * @return false if memory was exhausted: frames or operations are missing, and the model has a
 *         limit ND_MODEL_LIMIT_MEMORY
 * @note Threads: any, one at a time for a model.
 */
bool nd_model_finish(struct nd_model *model);

/**
 * @return the finished trace of the model's frames: totals, violations, doubts. Owned by the
 *         model. Connections have the same indices in the trace and in the model.
 * @note Threads: any.
 */
const struct nd_trace *nd_model_trace(const struct nd_model *model);

bool nd_model_decode_sized(
	const void *frame, size_t bytes, struct nd_model_headers *headers, size_t size);

/**
 * Decode a RoCEv2 frame, whether or not its ICRC is correct. VLAN tags and one layer of VXLAN are
 * skipped. payload_offset counts from the start of frame.
 *
 * @param bytes length of frame
 * @param[out] headers filled when true is returned
 * @return false if the frame is not RoCEv2, cut or malformed
 * @note Threads: any.
 */
static inline bool
nd_model_decode(const void *frame, size_t bytes, struct nd_model_headers *headers)
{
	return nd_model_decode_sized(frame, bytes, headers, sizeof(*headers));
}

/**
 * @return number of frames passed to the model.
 * @note Threads: any.
 */
uint64_t nd_model_frame_count(const struct nd_model *model);

bool nd_model_frame_get_sized(
	const struct nd_model *model, uint64_t number, struct nd_model_frame *frame, size_t size);

/**
 * @param number number of the frame, from 1
 * @param[out] frame filled when true is returned
 * @return false if there is no such frame
 * @note Threads: any.
 */
static inline bool
nd_model_frame_get(const struct nd_model *model, uint64_t number, struct nd_model_frame *frame)
{
	return nd_model_frame_get_sized(model, number, frame, sizeof(*frame));
}

/**
 * @param number number of the frame, from 1
 * @param[out] bytes length of the frame, its captured_bytes; 0 with NULL
 * @return the frame as passed, valid until the model is closed; NULL if it is not RoCEv2
 * @note Threads: any.
 */
const uint8_t *nd_model_frame_bytes(const struct nd_model *model, uint64_t number, size_t *bytes);

/**
 * @return number of connections, equal to nd_trace_connection_count() of the trace.
 * @note Threads: any.
 */
size_t nd_model_connection_count(const struct nd_model *model);

/**
 * @return the connection, valid until the model is closed; NULL if index is not less than the
 *         count.
 * @note Threads: any.
 */
const struct nd_model_connection *nd_model_connection(const struct nd_model *model, size_t index);

bool nd_model_cm_sized(const struct nd_model *model, size_t connection, size_t index,
	struct nd_model_cm_message *message, size_t size);

/**
 * @param index less than cm_messages of the connection; messages are in capture order
 * @param[out] message filled when true is returned
 * @return false if there is no such message
 * @note Threads: any.
 */
static inline bool
nd_model_cm(const struct nd_model *model, size_t connection, size_t index,
	struct nd_model_cm_message *message)
{
	return nd_model_cm_sized(model, connection, index, message, sizeof(*message));
}

/**
 * @param side side that posted the operation, 0 or 1
 * @param index less than operations of the side
 * @return the operation, valid until the model is closed; NULL if there is no such operation
 * @note Threads: any.
 */
const struct nd_model_operation *
nd_model_operation(const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * Copy the payload of an operation: the bytes that a SEND or WRITE sent, or that a READ returned.
 * Bytes that were not captured are 0. Atomics have no payload here.
 *
 * @param offset offset of the first byte in the payload
 * @param[out] to filled; may be NULL when bytes is 0
 * @param[out] known NULL, or an array of bytes entries: 1 if the byte was captured, else 0
 * @param bytes number of bytes to copy
 * @return bytes copied, up to the end of the operation; 0 if there is no such operation
 * @note Threads: any.
 */
size_t nd_model_payload(const struct nd_model *model, size_t connection, unsigned side,
	size_t index, uint64_t offset, uint8_t *to, uint8_t *known, size_t bytes);

/**
 * @return number of payload bytes of an operation that were captured.
 * @note Threads: any.
 */
uint64_t nd_model_payload_known(
	const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * @param n less than repeats of the operation
 * @return number of the n-th frame that retransmits a request packet of the operation, in capture
 *         order; 0 if there is no such frame
 * @note Threads: any.
 */
uint64_t nd_model_repeat(
	const struct nd_model *model, size_t connection, unsigned side, size_t index, size_t n);

/**
 * @param side side that posted the receive
 * @return the receive, valid until the model is closed; NULL if there is no such receive
 * @note Threads: any.
 */
const struct nd_model_receive *
nd_model_receive(const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * @param side side that owns the memory of the key
 * @return the key, valid until the model is closed; NULL if there is no such key
 * @note Threads: any.
 */
const struct nd_model_key *
nd_model_key(const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * @param side side that refused
 * @return the refusal, valid until the model is closed; NULL if there is no such refusal
 * @note Threads: any.
 */
const struct nd_model_refusal *
nd_model_refusal(const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * @return number of memory events of a side, over all its keys.
 * @note Threads: any.
 */
size_t nd_model_memory_count(const struct nd_model *model, size_t connection, unsigned side);

/**
 * @return the event, valid until the model is closed; NULL if there is no such event
 * @note Threads: any.
 */
const struct nd_model_memory_event *
nd_model_memory_event(const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * Return the memory of a side directly before an event, as its responder must have it. The value of
 * a byte is the first of these values that exists: the value that the event itself found there; the
 * value that the newest earlier event left; the value that a later event finds before any event
 * writes the byte. Numbers of atomics are stored with the low byte first.
 *
 * @param index index of the event, 0 .. nd_model_memory_count()
 * @param[out] to filled; unknown bytes are 0
 * @param[out] known NULL, or an array of bytes entries: 1 if the byte is known, else 0
 * @param bytes number of bytes to return
 * @return number of known bytes; 0 if there is no such side
 * @note Threads: any.
 */
size_t nd_model_memory(const struct nd_model *model, size_t connection, unsigned side, size_t index,
	uint64_t address, uint8_t *to, uint8_t *known, size_t bytes);

/**
 * @return number of faults of the network and of the capture; ordered by frame
 * @note Threads: any.
 */
size_t nd_model_fault_count(const struct nd_model *model);

/**
 * @return the fault, valid until the model is closed; NULL if there is no such fault
 * @note Threads: any.
 */
const struct nd_model_fault *nd_model_fault(const struct nd_model *model, size_t index);

/**
 * @return number of limits. Each limit tells what the capture lacks. There is one limit per kind,
 *         connection and side.
 * @note Threads: any.
 */
size_t nd_model_limit_count(const struct nd_model *model);

/**
 * @return the limit, valid until the model is closed; NULL if there is no such limit
 * @note Threads: any.
 */
const struct nd_model_limit *nd_model_limit(const struct nd_model *model, size_t index);

/** @} */

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
