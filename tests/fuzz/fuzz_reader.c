/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <rte_common.h>
#include <zlib.h>

#include <ndpdk/nd_trace.h>
#include <ndpdk/nd_trace_fields.h>

#include "ndreplay/judge/anonymize.h"
#include "fixture/capture.h"
#include "fuzz/fuzzer.h"
#include "ndreplay/capture/reader.h"

/*
 * Reads damaged capture files. The first record selects recorded frames and the format of the
 * file: pcap or pcapng, byte order, link types, gzip. Each further record edits or truncates the
 * file, or removes or inserts a part. Conditions that must hold:
 *
 * - reading ends, and every byte of a frame can be read;
 * - recomputing the ICRC of an unchanged frame does not alter the frame;
 * - an anonymized frame has the same fields.
 */

#define FRAMES     12u
#define FILE_MAX   (1u << 16)
#define GZIP_LEVEL 1
#define EDITS      8u

struct form {
	uint8_t capture, format, order, gzip;
	uint8_t first; /* index of the first frame in the capture */
	uint8_t choice;
	/* number of edits, modulo EDITS; with more edits, files would be unreadable */
	uint8_t edits;
	uint8_t reserved[9];
};

struct edit {
	uint8_t how;
	uint8_t late; /* If bit 0 is set, the edits come after the compression. */
	uint16_t count;
	uint32_t at;
	uint32_t value;
	uint32_t reserved;
};

static_assert(sizeof(struct form) == FUZZ_RECORD_BYTES, "mutations are of whole records");
static_assert(sizeof(struct edit) == FUZZ_RECORD_BYTES, "mutations are of whole records");

struct file {
	uint8_t bytes[FILE_MAX];
	size_t count;
	bool swapped;
};

static const char *const names[] = {
	"mixed.pcap", "ipv6-mixed.pcap", "cswap.pcap", "corrupt.pcap", "writeimm.pcap"};

static struct capture captures[RTE_DIM(names)];
static struct keyed *keyed;

void
fuzz_start(void)
{
	for (size_t i = 0; i < RTE_DIM(names); i++)
		capture_load(&captures[i], names[i]);
	keyed = keyed_open("key");
	fuzz_expect(keyed != NULL, "libcrypto");
}

static void
put(struct file *file, const void *bytes, size_t count)
{
	count = RTE_MIN(count, FILE_MAX - file->count);
	memcpy(file->bytes + file->count, bytes, count);
	file->count += count;
}

static void
put32(struct file *file, uint32_t value)
{
	if (file->swapped)
		value = __builtin_bswap32(value);
	put(file, &value, sizeof(value));
}

static void
put16(struct file *file, uint16_t value)
{
	if (file->swapped)
		value = __builtin_bswap16(value);
	put(file, &value, sizeof(value));
}

static const struct capture_frame *
frame_of(const struct form *form, uint32_t index)
{
	const struct capture *capture = &captures[form->capture % RTE_DIM(captures)];

	return &capture->frames[(form->first + index) % capture->count];
}

static void
pcap_make(struct file *file, const struct form *form)
{
	static const uint32_t links[] = {1, 113, 276, 101, 228, 229, 105, 1};

	put32(file, form->format & 2 ? 0xA1B23C4D : 0xA1B2C3D4);
	put16(file, 2);
	put16(file, 4);
	put32(file, 0);
	put32(file, 0);
	put32(file, 262144);
	put32(file, links[form->format >> 4 & 7]);
	for (uint32_t i = 0; i < FRAMES; i++) {
		const struct capture_frame *frame = frame_of(form, i);

		put32(file, i);
		put32(file, 0);
		put32(file, frame->count);
		put32(file, frame->count);
		put(file, frame->bytes, frame->count);
	}
}

static void
interface_put(struct file *file, uint16_t link_type, uint8_t resolution)
{
	put32(file, 1);
	put32(file, 32);
	put16(file, link_type);
	put16(file, 0);
	put32(file, 0);
	put16(file, 9);
	put16(file, 1);
	put(file, (uint8_t[]){resolution, 0, 0, 0}, 4);
	put32(file, 0);
	put32(file, 32);
}

static void
packet_put(struct file *file, const struct capture_frame *frame, uint32_t interface, bool simple)
{
	const uint32_t padded = RTE_ALIGN(frame->count, 4u);
	const uint32_t length = padded + (simple ? 16 : 32);

	put32(file, simple ? 3 : 6);
	put32(file, length);
	if (!simple) {
		put32(file, interface);
		put32(file, 0);
		put32(file, 1000);
		put32(file, frame->count);
	}
	put32(file, frame->count);
	put(file, frame->bytes, frame->count);
	put(file, "\0\0", padded - frame->count);
	put32(file, length);
}

static void
pcapng_make(struct file *file, const struct form *form)
{
	for (uint32_t i = 0; i < FRAMES; i++) {
		if (i % 6 == 0) {
			put32(file, 0x0A0D0D0A);
			put32(file, 28);
			put32(file, 0x1A2B3C4D);
			put16(file, 1);
			put16(file, 0);
			put32(file, UINT32_MAX);
			put32(file, UINT32_MAX);
			put32(file, 28);
			interface_put(file, 1, 6);
			interface_put(file, 113, 9);
			interface_put(file, 101, 0x80 | 30);
		}
		packet_put(file, frame_of(form, i), i % 3 * (form->format >> 4 & 1),
			(form->format >> 5 & 1) && i % 4 == 0);
	}
}

static void
part_edit(struct file *file, const struct edit *edit)
{
	const size_t at = edit->at % (file->count + 1);
	size_t count = RTE_MIN((size_t)edit->count, file->count - at);

	if (edit->how % 8 == 5) {
		memmove(file->bytes + at, file->bytes + at + count, file->count - at - count);
		file->count -= count;
		return;
	}
	count = RTE_MIN(count, FILE_MAX - file->count);
	memmove(file->bytes + at + count, file->bytes + at, file->count - at);
	if (edit->how % 8 == 7)
		memset(file->bytes + at, 0, count);
	file->count += count;
}

static void
file_edit(struct file *file, const struct edit *edit)
{
	const size_t at = file->count == 0 ? 0 : edit->at % file->count;

	switch (edit->how % 8) {
	case 0:
	case 1:
		if (file->count > 0)
			fuzz_byte_edit(
				&file->bytes[at], (uint8_t)edit->value, edit->how % 8 == 0 ? 1 : 2);
		break;
	case 2:
	case 3:
		file->swapped = edit->how % 8 == 3;
		if (at + 4 <= file->count) {
			const size_t count = file->count;

			file->count = at & ~(size_t)3;
			put32(file, edit->value);
			file->count = count;
		}
		break;
	case 4:
		file->count = at;
		break;
	default:
		part_edit(file, edit);
		break;
	}
}

static void
file_pack(struct file *file)
{
	static uint8_t packed[2 * FILE_MAX];
	z_stream stream = {
		.next_in = file->bytes,
		.avail_in = (unsigned int)file->count,
		.next_out = packed,
		.avail_out = sizeof(packed),
	};

	fuzz_expect(deflateInit2(&stream, GZIP_LEVEL, Z_DEFLATED, 16 + MAX_WBITS, 8,
			    Z_DEFAULT_STRATEGY) == Z_OK,
		"zlib");
	fuzz_expect(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib");
	file->count = RTE_MIN(sizeof(packed) - stream.avail_out, (size_t)FILE_MAX);
	memcpy(file->bytes, packed, file->count);
	deflateEnd(&stream);
}

static void
file_make(struct file *file, const struct form *form, const uint8_t *records, size_t count)
{
	struct edit edit;

	file->count = 0;
	file->swapped = form->order & 1;
	if (form->format & 1)
		pcapng_make(file, form);
	else
		pcap_make(file, form);
	for (unsigned int late = 0; late < 2; late++) {
		for (size_t i = 0; i < count; i++) {
			memcpy(&edit, records + i * sizeof(edit), sizeof(edit));
			if ((edit.late & 1) == late)
				file_edit(file, &edit);
		}
		if (late == 0 && form->gzip % 4 == 1)
			file_pack(file);
	}
}

static void
fields_check(const struct reader_frame *frame)
{
	struct nd_trace_layout layout, again;
	uint8_t *copy;

	nd_trace_layout(frame->bytes, frame->captured_bytes, frame->wire_bytes, &layout);
	if (!layout.roce)
		return;
	copy = malloc(frame->captured_bytes);
	fuzz_expect(copy != NULL, "memory");
	memcpy(copy, frame->bytes, frame->captured_bytes);
	nd_trace_seal(copy, &layout);
	if (layout.complete && layout.tunnel_offset == 0)
		fuzz_expect(memcmp(copy, frame->bytes, frame->captured_bytes) == 0,
			"a seal changed what was sealed");
	for (uint32_t i = 0, end = 0; i < layout.field_count; i++) {
		fuzz_expect(layout.fields[i].offset >= end || layout.tunnel_offset != 0,
			"fields overlap");
		end = layout.fields[i].offset + layout.fields[i].bytes;
		fuzz_expect(end <= frame->captured_bytes, "a field beyond the frame");
	}
	again = layout;
	anonymize_frame(keyed, copy, &again);
	nd_trace_layout(copy, frame->captured_bytes, frame->wire_bytes, &again);
	fuzz_expect(again.roce && again.field_count == layout.field_count &&
			again.complete == layout.complete &&
			(again.icrc_error == 0) == (layout.icrc_error == 0),
		"another layout when it is anonymous");
	free(copy);
}

static void
file_read(const char *path, const struct form *form)
{
	struct reader_config config = {.filter = form->choice % 8 == 1 ? "udp port 4791" : NULL};
	struct nd_trace *trace = nd_trace_open(NULL);
	struct reader_frame frame;
	enum reader_result result;
	struct reader *reader;
	uint64_t number = 0;
	char why[512] = "";

	if (form->choice % 8 == 2)
		config.from = (struct reader_bound){READER_SINCE, 1000};
	reader = reader_open(path, &config, why, sizeof(why));
	fuzz_expect((reader == NULL) == (why[0] != '\0'), "a reason");
	fuzz_expect(trace != NULL, "memory");
	while (reader != NULL &&
		((result = reader_next(reader, &frame)) == READER_FRAME ||
			result == READER_SKIPPED)) {
		fuzz_expect(frame.number == ++number, "number of a frame");
		if (frame.is_foreign)
			continue;
		fuzz_expect(frame.wire_bytes >= frame.captured_bytes, "length of a frame");
		nd_trace_frame(
			trace, frame.time_ns, frame.bytes, frame.captured_bytes, frame.wire_bytes);
		fields_check(&frame);
	}
	if (reader != NULL && result == READER_ERROR)
		fuzz_expect(reader_error(reader)[0] != '\0', "a reason at the end");
	nd_trace_finish(trace);
	nd_trace_close(trace);
	reader_close(reader);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct file file;
	struct form form;
	char path[64];
	int descriptor;

	if (size < sizeof(form))
		return 0;
	memcpy(&form, data, sizeof(form));
	file_make(&file, &form, data + sizeof(form),
		RTE_MIN(size / sizeof(struct edit) - 1, (size_t)form.edits % EDITS));
	descriptor = memfd_create("capture", MFD_CLOEXEC);
	fuzz_expect(descriptor != -1, "memfd_create");
	fuzz_expect(write(descriptor, file.bytes, file.count) == (ssize_t)file.count, "write");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
	file_read(path, &form);
	close(descriptor);
	return 0;
}
