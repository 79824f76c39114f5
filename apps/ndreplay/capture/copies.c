/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "copies.h"

#include <stddef.h>
#include <stdlib.h>

#include <ndpdk/nd_trace_fields.h>

/**
 * Maximum time from a packet to its copy, in ns. NUMBERED_NS applies if the sender increments the
 * IP identification from packet to packet. Otherwise COPY_NS applies.
 */
#define NUMBERED_NS UINT64_C(100000000)
#define COPY_NS     UINT64_C(1000000)
/**
 * Copies are left out only while the number of originals with a copy is at least COPIED_MIN times
 * the number of originals without a copy.
 */
#define COPIED_MIN  3u

/**
 * copies_count() reports copies only if at least FIRST_COPIES of a file's first FIRST_FRAMES
 * originals have a copy.
 */
#define FIRST_FRAMES 256u
#define FIRST_COPIES 8u

/** Number of originals that a new packet is compared with. */
#define FRAMES  16384u
/** Number of hash chains that index these originals. A power of two. */
#define CHAINS  16384u
/** Number of senders for which the newest IP identification is stored. A power of two. */
#define SENDERS 256u

#define UDP_BYTES 8u
#define HASH_BASE UINT64_C(0xCBF29CE484222325)

struct original {
	uint64_t time_ns, hash;
	uint64_t next;    /**< next older original in the hash chain: index + 1; 0: none */
	uint32_t copies;  /**< number of copies found so far */
	bool is_numbered; /**< the sender numbers its packets in the IP identification */
};

struct copies {
	uint32_t each;                     /**< limit for the copies of one packet */
	struct original originals[FRAMES]; /**< ring buffer; entries tail to head - 1 are used */
	uint64_t head, tail;       /**< end and start of the ring, counted from the file's start */
	uint64_t chains[CHAINS];   /**< newest original of each chain: index + 1; 0: none */
	uint16_t numbers[SENDERS]; /**< newest IP identification of each sender, by address hash */
	uint64_t counted;          /**< maximum number of originals in copied and single */
	uint64_t copied, single;   /**< removed originals with copies; without copies */
	uint64_t found;            /**< total number of copies of the removed originals */
};

/** Identifies a packet: a copy has the same hash as its original. */
struct identity {
	uint64_t hash;
	uint64_t sender;
	uint16_t number; /**< IP identification; 0: none */
};

/* 64-bit FNV-1a. */
static uint64_t
hash_add(uint64_t hash, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
	return hash;
}

/* @return true if the frame is a RoCEv2 packet. Only RoCEv2 packets can have copies. */
static bool
identity_of(const struct reader_frame *frame, struct identity *identity)
{
	struct nd_trace_layout layout;
	const uint8_t *ip, *udp;
	size_t end, at;

	nd_trace_layout(frame->bytes, frame->captured_bytes, frame->wire_bytes, &layout);
	if (!layout.roce)
		return false;
	ip = frame->bytes + layout.l3_offset;
	udp = frame->bytes + layout.l4_offset;
	end = layout.end_offset < frame->captured_bytes ? layout.end_offset : frame->captured_bytes;
	at = layout.l4_offset + UDP_BYTES;
	identity->number = layout.v6 ? 0 : (uint16_t)(ip[4] << 8 | ip[5]);
	identity->sender = hash_add(HASH_BASE, ip + (layout.v6 ? 8 : 12), layout.v6 ? 16 : 4);
	/*
	 * Hash the following fields. IPv4: length, identification and addresses. IPv6: length and
	 * addresses.
	 */
	identity->hash = hash_add(HASH_BASE, ip + (layout.v6 ? 4 : 2), layout.v6 ? 2 : 4);
	identity->hash = hash_add(identity->hash, ip + (layout.v6 ? 8 : 12), layout.v6 ? 32 : 8);
	identity->hash = hash_add(identity->hash, udp, 4);
	if (at < end)
		identity->hash = hash_add(identity->hash, frame->bytes + at, end - at);
	return true;
}

static struct original *
original_at(struct copies *copies, uint64_t index)
{
	return &copies->originals[index % FRAMES];
}

static void
remove_oldest(struct copies *copies)
{
	const struct original *oldest = original_at(copies, copies->tail++);

	if (copies->tail > copies->counted)
		return;
	copies->copied += oldest->copies != 0;
	copies->single += oldest->copies == 0;
	copies->found += oldest->copies;
}

/* Remove originals that are too old, and the oldest original if the ring is full. */
static void
expire(struct copies *copies, uint64_t now_ns)
{
	while (copies->tail != copies->head) {
		const struct original *oldest = original_at(copies, copies->tail);

		if (copies->head - copies->tail < FRAMES && now_ns >= oldest->time_ns &&
			now_ns - oldest->time_ns <= NUMBERED_NS)
			return;
		remove_oldest(copies);
	}
}

static struct original *
original_find(struct copies *copies, uint64_t hash, uint64_t now_ns)
{
	uint64_t next = copies->chains[hash % CHAINS];

	while (next > copies->tail) {
		struct original *original = original_at(copies, next - 1);

		if (original->hash == hash && original->copies < copies->each &&
			now_ns - original->time_ns <=
				(original->is_numbered ? NUMBERED_NS : COPY_NS))
			return original;
		next = original->next;
	}
	return NULL;
}

static void
original_add(struct copies *copies, const struct identity *identity, uint64_t time_ns)
{
	uint16_t *number = &copies->numbers[identity->sender % SENDERS];
	uint64_t *chain = &copies->chains[identity->hash % CHAINS];

	*original_at(copies, copies->head++) = (struct original){
		.time_ns = time_ns,
		.hash = identity->hash,
		.next = *chain,
		.is_numbered = identity->number != 0 && identity->number != *number,
	};
	*chain = copies->head;
	*number = identity->number;
}

bool
copies_take(struct copies *copies, const struct reader_frame *frame)
{
	struct original *original;
	struct identity identity;

	if (!identity_of(frame, &identity))
		return false;
	expire(copies, frame->time_ns);
	original = original_find(copies, identity.hash, frame->time_ns);
	if (original == NULL) {
		original_add(copies, &identity, frame->time_ns);
		return false;
	}
	original->copies++;
	return copies->copied >= COPIED_MIN * copies->single;
}

struct copies *
copies_open(uint32_t each)
{
	struct copies *copies = calloc(1, sizeof(*copies));

	if (copies == NULL)
		return NULL;
	copies->each = each;
	copies->counted = UINT64_MAX;
	return copies;
}

void
copies_close(struct copies *copies)
{
	free(copies);
}

struct copies *
copies_open_count(void)
{
	struct copies *copies = copies_open(UINT32_MAX);

	if (copies != NULL)
		copies->counted = FIRST_FRAMES;
	return copies;
}

bool
copies_count_needs(const struct copies *copies)
{
	return copies->tail < FIRST_FRAMES;
}

uint32_t
copies_count(struct copies *copies, bool ended)
{
	while (ended && copies->tail != copies->head)
		remove_oldest(copies);
	return copies->copied >= FIRST_COPIES && copies->copied >= COPIED_MIN * copies->single
		? (uint32_t)((copies->found + copies->copied / 2) / copies->copied)
		: 0;
}
