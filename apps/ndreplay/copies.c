/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "copies.h"

#include <sys/stat.h>

/** Longest time between a frame and its copy, in nanoseconds. */
#define COPY_NS    UINT64_C(1000000)
/** Least number of frames with a copy for each frame without a copy. */
#define COPIED_MIN 3u

/** A file has copies if at least FIRST_COPIES of its first FIRST_FRAMES originals have one. */
#define FIRST_FRAMES 256u
#define FIRST_COPIES 8u

/* 64-bit FNV-1a. */
static uint64_t
hash_of(const uint8_t *bytes, uint32_t count)
{
	uint64_t hash = UINT64_C(0xCBF29CE484222325);

	for (uint32_t i = 0; i < count; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
	return hash;
}

static struct copies_frame *
frame_at(struct copies *copies, uint64_t index)
{
	return &copies->frames[index % COPIES_FRAMES];
}

/* Remove originals that are older than COPY_NS, and the oldest original if the ring is full. */
static void
expire(struct copies *copies, uint64_t now_ns)
{
	while (copies->tail != copies->head) {
		const struct copies_frame *oldest = frame_at(copies, copies->tail);

		if (copies->head - copies->tail < COPIES_FRAMES && now_ns >= oldest->time_ns &&
			now_ns - oldest->time_ns <= COPY_NS)
			return;
		copies->single += !oldest->is_copied;
		copies->tail++;
	}
}

static struct copies_frame *
original_find(struct copies *copies, uint64_t hash, uint32_t bytes)
{
	for (uint64_t i = copies->tail; i != copies->head; i++) {
		struct copies_frame *frame = frame_at(copies, i);

		if (!frame->is_copied && frame->hash == hash && frame->bytes == bytes)
			return frame;
	}
	return NULL;
}

bool
copies_take(struct copies *copies, const struct reader_frame *frame)
{
	const uint64_t hash = hash_of(frame->bytes, frame->captured_bytes);
	struct copies_frame *original;

	expire(copies, frame->time_ns);
	original = original_find(copies, hash, frame->captured_bytes);
	if (original == NULL) {
		*frame_at(copies, copies->head++) = (struct copies_frame){
			.time_ns = frame->time_ns, .hash = hash, .bytes = frame->captured_bytes};
		return false;
	}
	original->is_copied = true;
	copies->copied++;
	return copies->copied >= COPIED_MIN * copies->single;
}

bool
copies_are_in(const char *path, const struct reader_config *config)
{
	struct reader_config once = *config;
	enum reader_result result = READER_END;
	struct copies copies = {.head = 0};
	struct reader_frame frame;
	struct reader *reader;
	struct stat status;
	char why[512];

	if (config->follow || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return false;
	once.copies = once.progress = false;
	reader = reader_open(path, &once, why, sizeof(why));
	while (reader != NULL && copies.head < FIRST_FRAMES &&
		((result = reader_next(reader, &frame)) == READER_FRAME ||
			result == READER_SKIPPED))
		if (result == READER_FRAME)
			copies_take(&copies, &frame);
	reader_close(reader);
	return copies.copied >= FIRST_COPIES && copies.copied >= COPIED_MIN * copies.single;
}
