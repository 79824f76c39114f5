/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_ND_MODEL_H
#define NDPDK_ND_MODEL_H

/**
 * @file
 * A model of recorded RoCEv2 conversations: connections with all that their CM exchange says, the
 * operations that both sides posted with their order and payload, receives, keys, memory as far as
 * it is known, the part of each frame, faults of the network, and what the capture does not tell.
 *
 * A model is fed frame by frame, in capture order; nd_model_finish() makes the model, and queries
 * answer after it. It keeps every RoCEv2 frame, and memory for each frame and operation, so it
 * grows with the capture: use nd_trace.h where that is not wanted. Any thread may call, one at a
 * time per model; after nd_model_finish() any number of threads may query at once.
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

/** A model of a capture; opaque. Made by nd_model_open(), freed by nd_model_close(). */
struct nd_model;

/**
 * @param config of the trace inside (nd_model_trace()), copied; NULL = all zero
 * @return a model without frames, to be freed with nd_model_close(); NULL when memory is exhausted
 * @note Threads: any, one at a time for a model.
 */
struct nd_model *nd_model_open(const struct nd_trace_config *config);

/**
 * Free a model and all that was returned from it. NULL is allowed.
 * @note Threads: any, one at a time for a model.
 */
void nd_model_close(struct nd_model *model);

/**
 * Feed the next frame, not behind nd_model_finish(). It never fails: when memory is exhausted, the
 * frame is only counted, and nd_model_finish() says so.
 *
 * @param time_ns capture time
 * @param frame Ethernet frame without FCS; copied when it is RoCEv2
 * @param captured_bytes length of frame; 0 is allowed
 * @param wire_bytes what the frame had on the wire, at least captured_bytes
 * @note Threads: any, one at a time for a model.
 */
void nd_model_frame(struct nd_model *model, uint64_t time_ns, const void *frame,
	size_t captured_bytes, size_t wire_bytes);

/**
 * Make the model of all frames fed. Call once, after the last frame, before any query.
 *
 * @return false when memory was exhausted: the model lacks frames or operations, and has a limit
 *         ND_MODEL_LIMIT_MEMORY
 * @note Threads: any, one at a time for a model.
 */
bool nd_model_finish(struct nd_model *model);

/**
 * @return the trace of the same frames, finished with the model: totals, violations, doubts. Owned
 *         by the model. Its connections have the indices of the model's.
 * @note Threads: any.
 */
const struct nd_trace *nd_model_trace(const struct nd_model *model);

/**
 * Decode a RoCEv2 frame in plain memory, whatever its ICRC. VLAN tags and one layer of VXLAN are
 * taken off first. payload_offset counts from frame.
 *
 * @param bytes length of frame
 * @param[out] headers filled when true is returned
 * @return false when the frame is not RoCEv2, cut or malformed
 * @note Threads: any.
 */
bool nd_model_decode(const void *frame, size_t bytes, struct nd_model_headers *headers);

/**
 * @return frames fed.
 * @note Threads: any.
 */
uint64_t nd_model_frame_count(const struct nd_model *model);

/**
 * @param number from 1
 * @param[out] frame filled when true is returned
 * @return false when there is no such frame
 * @note Threads: any.
 */
bool
nd_model_frame_get(const struct nd_model *model, uint64_t number, struct nd_model_frame *frame);

/**
 * @param number from 1
 * @param[out] bytes length, captured_bytes of the frame; 0 with NULL
 * @return the frame as fed, valid until the model is closed; NULL when it is not RoCEv2
 * @note Threads: any.
 */
const uint8_t *nd_model_frame_bytes(const struct nd_model *model, uint64_t number, size_t *bytes);

/**
 * @return connections, as many as nd_trace_connection_count() of the trace.
 * @note Threads: any.
 */
size_t nd_model_connection_count(const struct nd_model *model);

/**
 * @return the connection, valid until the model is closed; NULL when index is not below the count.
 * @note Threads: any.
 */
const struct nd_model_connection *nd_model_connection(const struct nd_model *model, size_t index);

/**
 * @param index below cm_messages of the connection; in capture order
 * @param[out] message filled when true is returned
 * @return false when there is no such message
 * @note Threads: any.
 */
bool nd_model_cm(const struct nd_model *model, size_t connection, size_t index,
	struct nd_model_cm_message *message);

/**
 * @param side who posted it, 0 or 1
 * @param index below operations of the side
 * @return the operation, valid until the model is closed; NULL when there is none such
 * @note Threads: any.
 */
const struct nd_model_operation *
nd_model_operation(const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * Copy payload of an operation: bytes that a SEND or WRITE sent, or that a READ returned. Bytes
 * that the capture does not have are 0. Atomics have no payload here.
 *
 * @param offset of the first byte
 * @param[out] to bytes; may be NULL when bytes is 0
 * @param[out] known NULL, or bytes: 1 for each byte that the capture has, 0 for each other one
 * @param bytes wanted
 * @return bytes copied, up to the end of the operation; 0 when there is no such operation
 * @note Threads: any.
 */
size_t nd_model_payload(const struct nd_model *model, size_t connection, unsigned side,
	size_t index, uint64_t offset, uint8_t *to, uint8_t *known, size_t bytes);

/**
 * @return bytes of the payload of an operation that the capture has.
 * @note Threads: any.
 */
uint64_t nd_model_payload_known(
	const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * @param n below repeats of the operation
 * @return number of the frame that repeats one of its request packets, in capture order; 0 when
 *         there is none such
 * @note Threads: any.
 */
uint64_t nd_model_repeat(
	const struct nd_model *model, size_t connection, unsigned side, size_t index, size_t n);

/**
 * @param side whose receive it is
 * @return the receive, valid until the model is closed; NULL when there is none such
 * @note Threads: any.
 */
const struct nd_model_receive *
nd_model_receive(const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * @param side whose memory the key opens
 * @return the key, valid until the model is closed; NULL when there is none such
 * @note Threads: any.
 */
const struct nd_model_key *
nd_model_key(const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * @param side who refused
 * @return the refusal, valid until the model is closed; NULL when there is none such
 * @note Threads: any.
 */
const struct nd_model_refusal *
nd_model_refusal(const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * @return events of the memory of a side, over all its keys.
 * @note Threads: any.
 */
size_t nd_model_memory_count(const struct nd_model *model, size_t connection, unsigned side);

/**
 * @return the event, valid until the model is closed; NULL when there is none such
 * @note Threads: any.
 */
const struct nd_model_memory_event *
nd_model_memory_event(const struct nd_model *model, size_t connection, unsigned side, size_t index);

/**
 * Memory of a side just before one event: what its responder has to hold. A byte is what the event
 * finds; where it finds nothing, what the newest earlier event left; where there is none, what a
 * later event finds before any writes it. Numbers of atomics are stored with the low byte first.
 *
 * @param index event that comes next, 0 .. nd_model_memory_count()
 * @param[out] to bytes; those not known are 0
 * @param[out] known NULL, or bytes: 1 where the byte is known, else 0
 * @param bytes wanted
 * @return bytes known; 0 when there is no such side
 * @note Threads: any.
 */
size_t nd_model_memory(const struct nd_model *model, size_t connection, unsigned side, size_t index,
	uint64_t address, uint8_t *to, uint8_t *known, size_t bytes);

/**
 * @return faults found, ordered by frame
 * @note Threads: any.
 */
size_t nd_model_fault_count(const struct nd_model *model);

/**
 * @return the fault, valid until the model is closed; NULL when there is none such
 * @note Threads: any.
 */
const struct nd_model_fault *nd_model_fault(const struct nd_model *model, size_t index);

/**
 * @return kinds of things that the capture does not tell, per connection and side
 * @note Threads: any.
 */
size_t nd_model_limit_count(const struct nd_model *model);

/**
 * @return the limit, valid until the model is closed; NULL when there is none such
 * @note Threads: any.
 */
const struct nd_model_limit *nd_model_limit(const struct nd_model *model, size_t index);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
