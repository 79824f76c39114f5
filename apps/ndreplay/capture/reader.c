/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <pcap/pcap.h>

#include "kit/stop.h"
#include "kit/value.h"

#include "copies.h"
#include "link_type.h"
#include "pcapng_read.h"
#include "progress.h"
#include "source.h"

/*
 * A source returns the bytes of the file (source.h). pcapng_read.h reads pcapng from the source.
 * libpcap knows the variants of pcap and reads pcap from a stream of the source. The reader then
 * converts each frame to Ethernet and applies the selection.
 */

#define NS_PER_S       UINT64_C(1000000000)
#define SNAPSHOT_BYTES 262144
#define STREAM_BYTES   (256u * 1024u)

struct reader {
	const char *path;
	struct reader_config config;
	struct source *source;
	struct pcapng_reader *pcapng; /* NULL if libpcap reads the file (format pcap) */
	pcap_t *pcap;
	char *stream_buffer; /* buffer of the stream that pcap reads */
	bool has_filter;
	struct bpf_program filter;
	uint8_t *converted; /* buffer for a frame that is converted to Ethernet */
	size_t converted_bytes;
	uint64_t frames;
	uint64_t first_ns;
	uint64_t last_ns;      /* time of the previous selected frame */
	struct copies *copies; /* NULL = copies are not left out */
	struct reader_skips skips;
	struct progress progress;
	char error[512];
};

struct packet {
	int link_type;
	uint64_t time_ns;
	const uint8_t *bytes;
	uint32_t captured_bytes, wire_bytes;
};

static bool
filter_compile(const char *filter, struct bpf_program *program, char *why, size_t size)
{
	pcap_t *dead = pcap_open_dead(DLT_EN10MB, SNAPSHOT_BYTES);
	bool done;

	if (dead == NULL) {
		snprintf(why, size, "memory is exhausted");
		return false;
	}
	done = pcap_compile(dead, program, filter, 1, PCAP_NETMASK_UNKNOWN) == 0;
	if (!done)
		snprintf(why, size, "--filter='%.100s' is not valid: %.200s", filter,
			pcap_geterr(dead));
	pcap_close(dead);
	return done;
}

bool
reader_filter_check(const char *filter, char *why, size_t size)
{
	struct bpf_program program;

	if (!filter_compile(filter, &program, why, size))
		return false;
	pcap_freecode(&program);
	return true;
}

static bool
date_parse(const char *text, struct reader_bound *bound)
{
	struct tm date = {0};
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &date);
	uint64_t fraction_ns = 0;

	if (rest == NULL)
		rest = strptime(text, "%Y-%m-%d %H:%M:%S", &date);
	if (rest == NULL || timegm(&date) < 0)
		return false;
	if (*rest == '.') {
		uint64_t unit_ns = NS_PER_S / 10;

		for (rest++; *rest >= '0' && *rest <= '9'; rest++, unit_ns /= 10)
			fraction_ns += unit_ns * (uint64_t)(*rest - '0');
	}
	if (*rest == 'Z')
		rest++;
	*bound = (struct reader_bound){
		READER_ABSOLUTE, (uint64_t)timegm(&date) * NS_PER_S + fraction_ns};
	return *rest == '\0';
}

bool
reader_bound_parse(const char *text, struct reader_bound *bound)
{
	const size_t length = strlen(text);
	char seconds[32];

	if (length > 1 && length < sizeof(seconds) && text[length - 1] == 's') {
		memcpy(seconds, text, length - 1);
		seconds[length - 1] = '\0';
		bound->kind = READER_SINCE;
		return value_seconds(seconds, &bound->value);
	}
	bound->kind = READER_NUMBER;
	if (value_number(text, UINT64_MAX, &bound->value))
		return bound->value > 0;
	return date_parse(text, bound);
}

static bool
libpcap_open(struct reader *reader, const void *head, size_t count, char *why, size_t size)
{
	FILE *stream = source_stream(reader->source, head, count);
	char reason[PCAP_ERRBUF_SIZE];

	reader->stream_buffer = malloc(STREAM_BYTES);
	if (stream == NULL || reader->stream_buffer == NULL) {
		snprintf(why, size, "%s cannot be read: memory is exhausted", reader->path);
		if (stream != NULL)
			fclose(stream);
		return false;
	}
	setvbuf(stream, reader->stream_buffer, _IOFBF, STREAM_BYTES);
	reader->pcap = pcap_fopen_offline_with_tstamp_precision(
		stream, PCAP_TSTAMP_PRECISION_NANO, reason);
	if (reader->pcap == NULL) {
		const char *error = source_error(reader->source);

		snprintf(why, size, "%s cannot be read: %s", reader->path,
			error != NULL ? error : reason);
		fclose(stream);
		return false;
	}
	if (link_type_is_known(pcap_datalink(reader->pcap)))
		return true;
	snprintf(why, size,
		"%s has link type %s; Ethernet, Linux cooked (SLL, SLL2) and raw IP are supported",
		reader->path, link_type_name(pcap_datalink(reader->pcap)));
	return false;
}

static bool
format_open(struct reader *reader, char *why, size_t size)
{
	char head[PCAPNG_MAGIC_BYTES];
	const size_t count = source_read(reader->source, head, sizeof(head));

	if (source_error(reader->source) != NULL) {
		snprintf(why, size, "%s cannot be read: %s", reader->path,
			source_error(reader->source));
		return false;
	}
	if (count != sizeof(head) || memcmp(head, PCAPNG_MAGIC, sizeof(head)) != 0)
		return libpcap_open(reader, head, count, why, size);
	reader->pcapng = pcapng_reader_open(reader->source);
	if (reader->pcapng == NULL)
		snprintf(why, size, "%s cannot be read: memory is exhausted", reader->path);
	return reader->pcapng != NULL;
}

/*
 * Read the first frames of the file and count the copies of each packet.
 *
 * @return mean number of copies of a packet, see copies_count(). The result is 0 if there are too
 *         few copies, or if the file cannot be read twice because it is a pipe or is followed.
 */
static uint32_t
first_count(const struct reader *reader)
{
	struct reader_config once = reader->config;
	enum reader_result result = READER_FRAME;
	struct reader_frame frame;
	struct copies *copies;
	struct reader *first;
	struct stat status;
	uint32_t count = 0;
	char why[512];

	if (once.follow || stat(reader->path, &status) != 0 || !S_ISREG(status.st_mode))
		return 0;
	once.leaves_out_copies = false;
	once.progress = false;
	first = reader_open(reader->path, &once, why, sizeof(why));
	copies = first == NULL ? NULL : copies_open_count();
	while (copies != NULL && copies_count_needs(copies) &&
		((result = reader_next(first, &frame)) == READER_FRAME || result == READER_SKIPPED))
		if (result == READER_FRAME)
			copies_take(copies, &frame);
	if (copies != NULL)
		count = copies_count(copies, result != READER_FRAME && result != READER_SKIPPED);
	copies_close(copies);
	reader_close(first);
	return count;
}

/* @return false without memory */
static bool
copies_start(struct reader *reader)
{
	const uint32_t each = reader->config.leaves_out_copies ? first_count(reader) : 0;

	if (each != 0)
		reader->copies = copies_open(each);
	return each == 0 || reader->copies != NULL;
}

struct reader *
reader_open(const char *path, const struct reader_config *config, char *why, size_t size)
{
	const struct source_config source = {.follow = config->follow};
	struct reader *reader = calloc(1, sizeof(*reader));
	char reason[128];

	if (reader == NULL) {
		snprintf(why, size, "%s cannot be read: memory is exhausted", path);
		return NULL;
	}
	reader->path = path;
	reader->config = *config;
	/*
	 * Reading may block. A signal must end the reading but not the process, so that the report
	 * covers the frames before the signal.
	 */
	if (config->follow || strcmp(path, "-") == 0)
		stop_catch_signals();
	reader->source = source_open(path, &source, reason, sizeof(reason));
	if (reader->source == NULL)
		snprintf(why, size, "%s cannot be read: %s", path, reason);
	if (reader->source == NULL || !format_open(reader, why, size)) {
		reader_close(reader);
		return NULL;
	}
	if (config->filter != NULL) {
		if (!filter_compile(config->filter, &reader->filter, why, size)) {
			reader_close(reader);
			return NULL;
		}
		reader->has_filter = true;
	}
	if (!copies_start(reader)) {
		snprintf(why, size, "%s cannot be read: memory is exhausted", path);
		reader_close(reader);
		return NULL;
	}
	progress_start(&reader->progress, path, config->progress);
	return reader;
}

static void
format_close(struct reader *reader)
{
	if (reader->pcap != NULL)
		pcap_close(reader->pcap);
	reader->pcap = NULL;
	free(reader->stream_buffer);
	reader->stream_buffer = NULL;
	pcapng_reader_close(reader->pcapng);
	reader->pcapng = NULL;
	source_close(reader->source);
	reader->source = NULL;
}

void
reader_close(struct reader *reader)
{
	if (reader == NULL)
		return;
	progress_end(&reader->progress);
	if (reader->has_filter)
		pcap_freecode(&reader->filter);
	format_close(reader);
	copies_close(reader->copies);
	free(reader->converted);
	free(reader);
}

const char *
reader_error(const struct reader *reader)
{
	return reader->error;
}

const struct reader_skips *
reader_skipped(const struct reader *reader)
{
	return &reader->skips;
}

static enum reader_result
fail(struct reader *reader, const char *reason)
{
	snprintf(reader->error, sizeof(reader->error),
		"%s cannot be read to its end: %s after %" PRIu64 " frames", reader->path, reason,
		reader->frames);
	return READER_ERROR;
}

static enum reader_result
pcap_take(struct reader *reader, struct packet *packet)
{
	struct pcap_pkthdr *header;
	const u_char *bytes;

	switch (pcap_next_ex(reader->pcap, &header, &bytes)) {
	case 1:
		break;
	case PCAP_ERROR_BREAK:
		if (source_error(reader->source) != NULL)
			return fail(reader, source_error(reader->source));
		return READER_END;
	default:
		if (source_is_stopped(reader->source))
			return READER_END;
		return fail(reader,
			source_error(reader->source) != NULL ? source_error(reader->source)
							     : pcap_geterr(reader->pcap));
	}
	*packet = (struct packet){
		.link_type = pcap_datalink(reader->pcap),
		/* tv_usec has nanoseconds, because pcap is opened with nanosecond precision. */
		.time_ns = (uint64_t)header->ts.tv_sec * NS_PER_S + (uint64_t)header->ts.tv_usec,
		.bytes = bytes,
		.captured_bytes = header->caplen,
		.wire_bytes = header->len < header->caplen ? header->caplen : header->len,
	};
	return READER_FRAME;
}

static enum reader_result
packet_take(struct reader *reader, struct packet *packet)
{
	struct pcapng_packet taken;

	if (reader->pcap != NULL)
		return pcap_take(reader, packet);
	switch (pcapng_reader_next(reader->pcapng, &taken)) {
	case PCAPNG_PACKET:
		break;
	case PCAPNG_END:
		return READER_END;
	case PCAPNG_ERROR:
		return fail(reader, pcapng_reader_error(reader->pcapng));
	}
	*packet = (struct packet){
		.link_type = taken.link_type,
		.time_ns = taken.time_ns,
		.bytes = taken.bytes,
		.captured_bytes = taken.captured_bytes,
		.wire_bytes = taken.wire_bytes,
	};
	return READER_FRAME;
}

static bool
convert(struct reader *reader, const struct packet *packet, struct reader_frame *frame)
{
	const size_t most = (size_t)packet->captured_bytes + LINK_TYPE_GROWTH;
	int64_t wire_bytes;
	int growth = 0;

	if (packet->link_type == DLT_EN10MB)
		return true;
	if (most > reader->converted_bytes) {
		uint8_t *grown = realloc(reader->converted, most);

		if (grown == NULL)
			return false;
		reader->converted = grown;
		reader->converted_bytes = most;
	}
	frame->captured_bytes = (uint32_t)link_type_convert(packet->link_type, packet->bytes,
		packet->captured_bytes, reader->converted, &growth);
	frame->bytes = reader->converted;
	/* The length in the file may be wrong: a frame is never shorter than its captured part. */
	wire_bytes = (int64_t)packet->wire_bytes + growth;
	if (wire_bytes < frame->captured_bytes)
		wire_bytes = frame->captured_bytes;
	frame->wire_bytes = wire_bytes < UINT32_MAX ? (uint32_t)wire_bytes : UINT32_MAX;
	/* Not even the link-layer header was captured, so the frame cannot be converted. */
	if (frame->captured_bytes == 0)
		frame->wire_bytes = packet->wire_bytes;
	return true;
}

/* @return 0 if the frame is at the bound, -1 before the bound, 1 after the bound */
static int
compare(const struct reader *reader, const struct reader_bound *bound,
	const struct reader_frame *frame)
{
	uint64_t at = frame->number, limit = bound->value;

	if (bound->kind != READER_NUMBER)
		at = frame->time_ns;
	if (bound->kind == READER_SINCE)
		limit += reader->first_ns;
	return at < limit ? -1 : at > limit;
}

static bool
is_in_range(const struct reader *reader, const struct reader_frame *frame)
{
	const struct reader_bound *from = &reader->config.from, *to = &reader->config.to;

	return (from->kind == READER_UNBOUND || compare(reader, from, frame) >= 0) &&
		(to->kind == READER_UNBOUND || compare(reader, to, frame) <= 0);
}

static bool
is_matched(const struct reader *reader, const struct reader_frame *frame)
{
	const struct pcap_pkthdr header = {
		.caplen = frame->captured_bytes, .len = frame->wire_bytes};

	return !reader->has_filter ||
		pcap_offline_filter(&reader->filter, &header, frame->bytes) != 0;
}

/* Continue at the start of the new file, because a followed file was replaced or truncated. */
static enum reader_result
reopen(struct reader *reader)
{
	const struct source_config source = {.follow = true};
	const char *change;
	char reason[128];

	while ((change = source_change(reader->source)) != NULL) {
		progress_end(&reader->progress);
		fprintf(stderr,
			"ndreplay: %s was %s after %" PRIu64
			" frames: continuing at the start of the new file\n",
			reader->path, change, reader->frames);
		format_close(reader);
		reader->source = source_open(reader->path, &source, reason, sizeof(reason));
		if (reader->source == NULL)
			return fail(reader, reason);
		if (format_open(reader, reader->error, sizeof(reader->error)))
			return READER_FRAME;
		if (source_change(reader->source) == NULL)
			return source_is_stopped(reader->source) ? READER_END : READER_ERROR;
	}
	return READER_END;
}

/*
 * @return the next packet, which is the first packet of a new file if a followed file has changed
 */
static enum reader_result
packet_take_followed(struct reader *reader, struct packet *packet)
{
	enum reader_result result;

	while ((result = packet_take(reader, packet)) == READER_END &&
		source_change(reader->source) != NULL) {
		result = reopen(reader);
		if (result != READER_FRAME)
			return result;
	}
	return result;
}

static void
order_note(struct reader *reader, const struct reader_frame *frame)
{
	if (frame->time_ns < reader->last_ns && reader->skips.backwards++ == 0)
		reader->skips.backwards_frame = frame->number;
	reader->last_ns = frame->time_ns;
}

enum reader_result
reader_next(struct reader *reader, struct reader_frame *frame)
{
	enum reader_result result;
	struct packet packet;

	result = packet_take_followed(reader, &packet);
	if (result != READER_FRAME) {
		progress_end(&reader->progress);
		return result;
	}
	*frame = (struct reader_frame){
		.number = ++reader->frames,
		.time_ns = packet.time_ns,
		.bytes = packet.bytes,
		.captured_bytes = packet.captured_bytes,
		.wire_bytes = packet.wire_bytes,
	};
	if (frame->number == 1)
		reader->first_ns = frame->time_ns;
	progress_frame(&reader->progress, frame->number, reader->source);
	frame->is_foreign = !link_type_is_known(packet.link_type);
	if (frame->is_foreign) {
		if (reader->skips.by_link_type++ == 0)
			reader->skips.link_type = link_type_name(packet.link_type);
		return READER_SKIPPED;
	}
	if (!convert(reader, &packet, frame))
		return fail(reader, "memory is exhausted");
	if (!is_in_range(reader, frame)) {
		reader->skips.by_range++;
		return READER_SKIPPED;
	}
	if (!is_matched(reader, frame)) {
		reader->skips.by_filter++;
		return READER_SKIPPED;
	}
	order_note(reader, frame);
	if (reader->copies != NULL && copies_take(reader->copies, frame)) {
		reader->skips.copies++;
		return READER_SKIPPED;
	}
	return READER_FRAME;
}
