/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "pcapng.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Blocks and options of draft-ietf-opsawg-pcapng, in the byte order of this machine. */

#define TYPE_SECTION     0x0A0D0D0Au
#define TYPE_INTERFACE   1u
#define TYPE_PACKET      6u
#define BYTE_ORDER_MAGIC 0x1A2B3C4Du
#define ETHERNET         1u

#define OPTION_END      0u
#define OPTION_COMMENT  1u
#define OPTION_TSRESOL  9u
#define OPTION_USERAPPL 4u

#define NANOSECONDS 9u
/* Type and both lengths. */
#define FRAME_BYTES 12u

struct pcapng {
	FILE *file;
	const char *path;
	bool is_stdout;
	int error; /* errno of the first failure; 0 = no failure */
};

static uint32_t
padded(uint32_t bytes)
{
	return (bytes + 3u) & ~3u;
}

static uint32_t
option_bytes(uint32_t bytes)
{
	return bytes == 0 ? 0 : 4 + padded(bytes);
}

static void
put(struct pcapng *pcapng, const void *bytes, size_t count)
{
	if (count != 0 && pcapng->error == 0 && fwrite(bytes, 1, count, pcapng->file) != count)
		pcapng->error = errno != 0 ? errno : EIO;
}

static void
put32(struct pcapng *pcapng, uint32_t value)
{
	put(pcapng, &value, sizeof(value));
}

static void
put_padded(struct pcapng *pcapng, const void *bytes, uint32_t count)
{
	static const uint8_t zeros[3];

	put(pcapng, bytes, count);
	put(pcapng, zeros, padded(count) - count);
}

static void
put_option(struct pcapng *pcapng, uint16_t code, const void *value, uint32_t bytes)
{
	const uint16_t head[2] = {code, (uint16_t)bytes};

	if (bytes == 0 && code != OPTION_END)
		return;
	put(pcapng, head, sizeof(head));
	put_padded(pcapng, value, bytes);
}

static uint32_t
comment_bytes(const char *comment)
{
	const size_t length = comment == NULL ? 0 : strlen(comment);

	return length > PCAPNG_COMMENT_MAX ? PCAPNG_COMMENT_MAX : (uint32_t)length;
}

static void
put_section(struct pcapng *pcapng, const char *comment)
{
	static const char application[] = "ndreplay " NDREPLAY_VERSION;
	static const struct {
		uint32_t magic;
		uint16_t major, minor;
		uint64_t section_bytes; /* UINT64_MAX: not known */
	} fixed = {BYTE_ORDER_MAGIC, 1, 0, UINT64_MAX};
	const uint32_t application_bytes = sizeof(application) - 1;
	const uint32_t bytes = FRAME_BYTES + (uint32_t)sizeof(fixed) +
		option_bytes(comment_bytes(comment)) + option_bytes(application_bytes) + 4;

	put32(pcapng, TYPE_SECTION);
	put32(pcapng, bytes);
	put(pcapng, &fixed, sizeof(fixed));
	put_option(pcapng, OPTION_COMMENT, comment, comment_bytes(comment));
	put_option(pcapng, OPTION_USERAPPL, application, application_bytes);
	put_option(pcapng, OPTION_END, "", 0);
	put32(pcapng, bytes);
}

static void
put_interface(struct pcapng *pcapng)
{
	static const uint8_t resolution = NANOSECONDS;
	const uint32_t bytes = FRAME_BYTES + 8 + option_bytes(1) + 4;

	put32(pcapng, TYPE_INTERFACE);
	put32(pcapng, bytes);
	put32(pcapng, ETHERNET);
	put32(pcapng, 0); /* 0 = the snapshot length has no limit */
	put_option(pcapng, OPTION_TSRESOL, &resolution, 1);
	put_option(pcapng, OPTION_END, "", 0);
	put32(pcapng, bytes);
}

/* @return true if both paths refer to the same file */
static bool
is_same_file(const char *path, const char *source)
{
	struct stat one, other;

	return stat(path, &one) == 0 && stat(source, &other) == 0 && one.st_dev == other.st_dev &&
		one.st_ino == other.st_ino;
}

bool
pcapng_is_stdout(const char *path)
{
	return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0;
}

struct pcapng *
pcapng_create(const char *path, const char *source, const char *comment, char *why, size_t size)
{
	struct pcapng *pcapng;

	if (!pcapng_is_stdout(path) && is_same_file(path, source)) {
		snprintf(why, size, "%s is the input file: another name is needed", path);
		return NULL;
	}
	pcapng = calloc(1, sizeof(*pcapng));
	if (pcapng == NULL) {
		snprintf(why, size, "%s cannot be written: memory is exhausted", path);
		return NULL;
	}
	pcapng->path = path;
	pcapng->is_stdout = pcapng_is_stdout(path);
	pcapng->file = pcapng->is_stdout ? stdout : fopen(path, "wb");
	if (pcapng->file == NULL) {
		snprintf(why, size, "%s cannot be written: %s", path, strerror(errno));
		free(pcapng);
		return NULL;
	}
	put_section(pcapng, comment);
	put_interface(pcapng);
	return pcapng;
}

void
pcapng_frame(struct pcapng *pcapng, uint64_t time_ns, const uint8_t *bytes, uint32_t captured_bytes,
	uint32_t wire_bytes, const char *comment)
{
	const uint32_t text_bytes = comment_bytes(comment);
	const uint32_t length = FRAME_BYTES + 20 + padded(captured_bytes) +
		(text_bytes == 0 ? 0 : option_bytes(text_bytes) + 4);

	put32(pcapng, TYPE_PACKET);
	put32(pcapng, length);
	put32(pcapng, 0); /* the interface */
	put32(pcapng, (uint32_t)(time_ns >> 32));
	put32(pcapng, (uint32_t)time_ns);
	put32(pcapng, captured_bytes);
	put32(pcapng, wire_bytes);
	put_padded(pcapng, bytes, captured_bytes);
	if (text_bytes != 0) {
		put_option(pcapng, OPTION_COMMENT, comment, text_bytes);
		put_option(pcapng, OPTION_END, "", 0);
	}
	put32(pcapng, length);
}

bool
pcapng_is_lost(const struct pcapng *pcapng)
{
	return pcapng->error != 0;
}

/*
 * Remove an incomplete file, because a reader could take it for the whole capture. Do not remove a
 * device or a pipe.
 */
static void
remove_part(const char *path)
{
	struct stat status;

	if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
		unlink(path);
}

bool
pcapng_close(struct pcapng *pcapng, char *why, size_t size)
{
	int error = pcapng->error;

	errno = 0;
	if (pcapng->is_stdout ? fflush(stdout) != 0 : fclose(pcapng->file) != 0)
		error = error != 0 ? error : errno;
	if (error != 0) {
		snprintf(why, size, "%s cannot be written: %s", pcapng->path, strerror(error));
		if (!pcapng->is_stdout)
			remove_part(pcapng->path);
	}
	free(pcapng);
	return error == 0;
}
