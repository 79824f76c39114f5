/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_GUEST_PEER_PROTOCOL_H
#define NDPDK_GUEST_PEER_PROTOCOL_H

/*
 * Protocol between the two ends of an interoperability test. One end is interop-peer, which uses
 * this project's API. The other end is verbspeer or rxetest in the guest, which uses Linux' verbs.
 * This file is C only, because the guest's programs are compiled with it, too. Numbers are big
 * endian on the wire.
 *
 * Private data of the connection request, as in rxetest:
 *   0 "RXT1"  4 u8 scenario  5 u8 0  6 u16 arg  8 u32 size  12 u32 count  16 u64 buffer
 *   24 u32 key  28 u32 buffer length  32 char name[12]
 * Private data of the accept:
 *   0 "RXT1"  4 u32 key  8 u64 buffer  16 u32 length  20 u32 0  24 "ACCEPTED"
 *
 * Scenarios from PROTOCOL_LADDER on have a driver, which makes requests, and a target, which binds
 * windows. The client is the driver unless arg has PROTOCOL_SERVER_DRIVES. The target begins each
 * step with an offer, a message of 24 bytes:
 *   0 u64 address  8 u64 length of the window  16 u32 key  20 u32 size of the step
 * The acknowledgement of an offer may be lost, so the target does not wait for it: if the driver
 * answers, the offer has arrived. At the end the driver disconnects, because only the driver knows
 * that its requests were acknowledged. In PROTOCOL_REFUSE the client disconnects.
 */

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PROTOCOL_PORT     7471
#define PROTOCOL_MAGIC    "RXT1"
#define PROTOCOL_REJECTED "RXT1REJECTED-BY-USER"
#define PROTOCOL_ACCEPTED "ACCEPTED"

enum {
	PROTOCOL_REQUEST_BYTES = 44,
	PROTOCOL_REPLY_BYTES = 32,
	PROTOCOL_NAME_BYTES = 12,
	PROTOCOL_REJECTED_BYTES = 20,
	PROTOCOL_OFFER_BYTES = 24,
};

/* Largest message of any scenario, in bytes. */
#define PROTOCOL_SIZE_MAX (4u << 20)

enum protocol_scenario {
	/*
	 * In each step the driver issues a SEND, a WRITE, a READ of the written data, and a fenced
	 * SEND with Invalidate. All have the size of the step. If count > 0, there are count steps
	 * of size bytes. If count = 0, there is one step for each of protocol_sizes up to size.
	 */
	PROTOCOL_LADDER = 64,
	/*
	 * There is one step. The driver issues an access of the kind in arg, size bytes long, which
	 * must be refused. Then the driver issues a SEND.
	 */
	PROTOCOL_REFUSE = 65,
	/*
	 * There is one step. The driver repeats two atomics count times: a fetch-add of
	 * protocol_addend to the first 8 bytes of the window, and a compare-swap of the second 8
	 * bytes. Then the driver issues an empty, fenced SEND with Invalidate.
	 */
	PROTOCOL_ATOMICS = 66,
	/*
	 * There is one step. The driver issues count WRITEs of size bytes (with PROTOCOL_READ:
	 * count READs), and then an empty SEND. It posts protocol_bulk_depth requests at a time,
	 * each for a different part of the window. Size and count are at least 1.
	 */
	PROTOCOL_BULK = 67,
	PROTOCOL_IDLE = 68,
};

#define PROTOCOL_SERVER_DRIVES  0x100u
/*
 * PROTOCOL_LADDER: SEND and WRITE carry protocol_immediate(). A WRITE with immediate data uses a
 * receive of the target, between the receives of the two SENDs.
 */
#define PROTOCOL_WITH_IMMEDIATE 0x200u
/*
 * PROTOCOL_LADDER: all steps use one window, which stays bound to the end. The last message of a
 * step is a SEND without Invalidate. The flag is for tests in which the network duplicates and
 * reorders packets, because Linux refuses a duplicate READ that arrives after its window was
 * invalidated. After the refusal, the queue pair fails.
 */
#define PROTOCOL_WINDOW_STAYS   0x400u
/* PROTOCOL_REFUSE, PROTOCOL_BULK: the accesses are READs instead of WRITEs. */
#define PROTOCOL_READ           0x80u
/* PROTOCOL_BULK: number of requests that are posted at a time; 0 means PROTOCOL_BULK_DEPTH_MAX. */
#define PROTOCOL_BULK_DEPTH     0x07u
#define PROTOCOL_BULK_DEPTH_MAX 8u

/*
 * Reason why the access must be refused. The window covers the second and third quarter of a
 * region.
 */
enum protocol_refuse {
	PROTOCOL_REFUSE_KEY,
	PROTOCOL_REFUSE_END, /* The access ends one byte after the window, inside the region. */
	/* The access begins one byte before the window, inside the region. */
	PROTOCOL_REFUSE_START,
	PROTOCOL_REFUSE_REGION,
	PROTOCOL_REFUSE_RIGHT,       /* The window does not permit this kind of access. */
	PROTOCOL_REFUSE_INVALIDATED, /* The target has invalidated the window. */
	/* The driver has invalidated the window by SEND with Invalidate. */
	PROTOCOL_REFUSE_SENT,
	PROTOCOL_REFUSE_REBOUND, /* The key is old, because the window was bound again. */
	PROTOCOL_REFUSE_KINDS,
};

/* Sizes just below, at and just above multiples of the path MTUs, and long sizes. */
static const uint32_t protocol_sizes[] = {0, 1, 3, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025,
	2047, 2048, 2049, 4095, 4096, 4097, 64u << 10, 1u << 20, 4u << 20};

struct protocol_request {
	uint32_t scenario;
	uint32_t arg;
	uint32_t size;
	uint32_t count;
};

struct protocol_offer {
	uint64_t address;
	uint64_t length;
	uint32_t key;
	uint32_t size;
};

static inline void
protocol_put32(uint8_t *bytes, uint32_t value)
{
	value = htobe32(value);
	memcpy(bytes, &value, sizeof(value));
}

static inline void
protocol_put64(uint8_t *bytes, uint64_t value)
{
	value = htobe64(value);
	memcpy(bytes, &value, sizeof(value));
}

static inline uint32_t
protocol_get32(const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return be32toh(value);
}

static inline uint64_t
protocol_get64(const uint8_t *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return be64toh(value);
}

/* @return byte i of the payload of operation k */
static inline uint8_t
protocol_byte(uint32_t k, uint32_t i)
{
	return (uint8_t)(31 * k + i + (i >> 8));
}

/*
 * @return immediate data of a step's message, in host byte order; on the wire they are big endian
 */
static inline uint32_t
protocol_immediate(uint32_t step, bool write)
{
	return 0xA5000000u | step << 1 | write;
}

static inline uint64_t
protocol_addend(uint32_t k)
{
	return UINT64_C(0x100000001) * (k + 1);
}

/*
 * @return value of the word after the first k compare-swaps. Every third compare-swap compares with
 * a wrong value, so it must not change the word.
 */
static inline uint64_t
protocol_swapped(uint32_t k)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < k; i++)
		if (i % 3 != 2)
			value = UINT64_C(0x1122334455660000) + i;
	return value;
}

static inline uint32_t
protocol_step_count(const struct protocol_request *request)
{
	uint32_t count = 0;

	if (request->count > 0)
		return request->count;
	while (count < sizeof(protocol_sizes) / sizeof(protocol_sizes[0]) &&
		protocol_sizes[count] <= request->size)
		count++;
	return count;
}

static inline uint32_t
protocol_step_size(const struct protocol_request *request, uint32_t step)
{
	return request->count > 0 ? request->size : protocol_sizes[step];
}

static inline uint32_t
protocol_bulk_depth(const struct protocol_request *request)
{
	const uint32_t depth = request->arg & PROTOCOL_BULK_DEPTH;

	return depth > 0 ? depth : PROTOCOL_BULK_DEPTH_MAX;
}

static inline void
protocol_write_request(uint8_t *bytes, const struct protocol_request *request, const char *name)
{
	memset(bytes, 0, PROTOCOL_REQUEST_BYTES);
	memcpy(bytes, PROTOCOL_MAGIC, 4);
	bytes[4] = (uint8_t)request->scenario;
	bytes[6] = (uint8_t)(request->arg >> 8);
	bytes[7] = (uint8_t)request->arg;
	protocol_put32(bytes + 8, request->size);
	protocol_put32(bytes + 12, request->count);
	memcpy(bytes + 32, name, strnlen(name, PROTOCOL_NAME_BYTES));
}

/* @return false if the bytes are not private data of this protocol */
static inline bool
protocol_read_request(const uint8_t *bytes, size_t length, struct protocol_request *request)
{
	if (length < PROTOCOL_REQUEST_BYTES || memcmp(bytes, PROTOCOL_MAGIC, 4) != 0)
		return false;
	*request = (struct protocol_request){
		.scenario = bytes[4],
		.arg = (uint32_t)bytes[6] << 8 | bytes[7],
		.size = protocol_get32(bytes + 8),
		.count = protocol_get32(bytes + 12),
	};
	return request->size <= PROTOCOL_SIZE_MAX;
}

static inline void
protocol_write_reply(uint8_t *bytes, uint32_t key, uint64_t buffer, uint32_t length)
{
	memset(bytes, 0, PROTOCOL_REPLY_BYTES);
	memcpy(bytes, PROTOCOL_MAGIC, 4);
	protocol_put32(bytes + 4, key);
	protocol_put64(bytes + 8, buffer);
	protocol_put32(bytes + 16, length);
	memcpy(bytes + 24, PROTOCOL_ACCEPTED, 8);
}

static inline void
protocol_write_offer(uint8_t *bytes, const struct protocol_offer *offer)
{
	protocol_put64(bytes, offer->address);
	protocol_put64(bytes + 8, offer->length);
	protocol_put32(bytes + 16, offer->key);
	protocol_put32(bytes + 20, offer->size);
}

static inline struct protocol_offer
protocol_read_offer(const uint8_t *bytes)
{
	return (struct protocol_offer){
		.address = protocol_get64(bytes),
		.length = protocol_get64(bytes + 8),
		.key = protocol_get32(bytes + 16),
		.size = protocol_get32(bytes + 20),
	};
}

#endif
