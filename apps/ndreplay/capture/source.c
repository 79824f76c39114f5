/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>

#include "kit/stop.h"

/*
 * Data that start with a gzip header are decompressed, and all other data are returned unchanged.
 * Bytes of a pipe or of a growing file are returned as soon as they are available. A gzip file may
 * consist of several streams.
 */

#define BUFFER_BYTES   (256u * 1024u)
#define FOLLOW_NS      50000000
#define LOOK_MS        100 /* interval at which a blocked read of a pipe checks for a signal */
#define HEAD_BYTES_MAX 16u
#define MAGIC          "\x1f\x8b"
#define MAGIC_BYTES    2u
/* zlib: expect the header and the trailer of gzip around the data. */
#define GZIP_WINDOW    (16 + MAX_WBITS)

struct source {
	int descriptor;
	const char *path; /* path of a regular file that is followed; NULL = no file is followed */
	struct source_config config;
	const char *change; /* see source_change() */
	off_t size;         /* size of the file; 0 = not a regular file */
	uint64_t taken;     /* bytes read from the file */
	uint8_t *buffer;    /* bytes of the file */
	size_t at, end;     /* buffer[at] to buffer[end - 1] are unread bytes */
	bool decided, gzip; /* decided: gzip is valid */
	bool in_stream;     /* true within a gzip stream */
	z_stream inflater;
	bool ended, stopped, failed;
	char error[128];
	uint8_t head[HEAD_BYTES_MAX];
	size_t head_count, head_at;
};

static int
open_descriptor(const char *path, char *why, size_t size)
{
	struct stat status;
	int descriptor;

	/* Duplicate the descriptor, so that closing the source does not close standard input. */
	descriptor = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (descriptor == -1) {
		snprintf(why, size, "%s", strerror(errno));
		return -1;
	}
	if (fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
		snprintf(why, size, "%s", strerror(EISDIR));
		close(descriptor);
		return -1;
	}
	return descriptor;
}

struct source *
source_open(const char *path, const struct source_config *config, char *why, size_t size)
{
	struct source *source = calloc(1, sizeof(*source));
	struct stat status;

	if (source != NULL) {
		source->descriptor = -1;
		source->buffer = malloc(BUFFER_BYTES);
	}
	if (source == NULL || source->buffer == NULL ||
		inflateInit2(&source->inflater, GZIP_WINDOW) != Z_OK) {
		snprintf(why, size, "memory is exhausted");
		if (source != NULL)
			free(source->buffer);
		free(source);
		return NULL;
	}
	source->config = *config;
	source->descriptor = open_descriptor(path, why, size);
	if (source->descriptor == -1) {
		source_close(source);
		return NULL;
	}
	if (fstat(source->descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
		source->size = status.st_size;
		source->path = config->follow && strcmp(path, "-") != 0 ? path : NULL;
	}
	return source;
}

void
source_close(struct source *source)
{
	if (source == NULL)
		return;
	inflateEnd(&source->inflater);
	if (source->descriptor != -1)
		close(source->descriptor);
	free(source->buffer);
	free(source);
}

static void
fail(struct source *source, const char *reason)
{
	source->failed = true;
	snprintf(source->error, sizeof(source->error), "%s", reason);
}

/*
 * Called at the end of a followed file. Find out whether log rotation has replaced the file (by
 * renaming it) or has truncated it. If no file has the name of the followed file now, a new file
 * may appear later.
 */
static const char *
change_look(const struct source *source)
{
	struct stat held, named;

	if (source->path == NULL || fstat(source->descriptor, &held) != 0)
		return NULL;
	if ((uint64_t)held.st_size < source->taken)
		return "truncated";
	if (stat(source->path, &named) != 0)
		return NULL;
	return named.st_dev != held.st_dev || named.st_ino != held.st_ino ? "replaced" : NULL;
}

/*
 * Append bytes of the file to the buffer. If the file is followed, wait at its end for more bytes.
 * @return false at the end, after an error or after a signal; members of source show the reason
 */
static bool
fill(struct source *source)
{
	const char *change = NULL;

	if (source->at == source->end)
		source->at = source->end = 0;
	for (;;) {
		struct pollfd file = {.fd = source->descriptor, .events = POLLIN};
		ssize_t got;

		/*
		 * A signal ends the reading. Signals are caught only if reading may block. In other
		 * cases a signal ends the process.
		 */
		if (stop_is_wanted()) {
			source->stopped = true;
			return false;
		}
		/* Poll before read(), because a signal may not end a blocking read(). */
		if (poll(&file, 1, LOOK_MS) <= 0)
			continue;
		got = read(source->descriptor, source->buffer + source->end,
			BUFFER_BYTES - source->end);

		if (got > 0) {
			source->end += (size_t)got;
			source->taken += (uint64_t)got;
			return true;
		}
		if (got < 0 && errno != EINTR) {
			fail(source, strerror(errno));
			return false;
		}
		if (got == 0 && !source->config.follow) {
			source->ended = true;
			return false;
		}
		if (got == 0 && change != NULL) {
			source->change = change;
			return false;
		}
		/* Read the remaining bytes of the old file before the change is reported. */
		change = change_look(source);
		if (got == 0 && change == NULL)
			nanosleep(&(struct timespec){.tv_nsec = FOLLOW_NS}, NULL);
	}
}

/* Look at the first bytes of the file to decide whether it is gzip. */
static void
decide(struct source *source)
{
	while (source->end < MAGIC_BYTES && fill(source))
		;
	source->decided = true;
	source->gzip =
		source->end >= MAGIC_BYTES && memcmp(source->buffer, MAGIC, MAGIC_BYTES) == 0;
}

/*
 * Skip zeros, because the last block of a tape may be padded with zeros.
 * @return true if a further gzip stream follows
 */
static bool
next_stream(struct source *source)
{
	for (;;) {
		while (source->at < source->end && source->buffer[source->at] == 0)
			source->at++;
		if (source->at < source->end)
			break;
		if (!fill(source))
			return false;
	}
	inflateReset(&source->inflater);
	source->in_stream = true;
	return true;
}

/* @return number of decompressed bytes; 0 after the end, an error, or a signal */
static size_t
take_inflated(struct source *source, uint8_t *bytes, size_t count)
{
	z_stream *inflater = &source->inflater;
	int result;

	inflater->next_out = bytes;
	inflater->avail_out = count < UINT_MAX ? (unsigned int)count : UINT_MAX;
	while (inflater->next_out == bytes) {
		if (!source->in_stream && !next_stream(source))
			return 0;
		if (source->at == source->end && !fill(source)) {
			if (source->ended)
				fail(source, "truncated gzip data");
			return 0;
		}
		inflater->next_in = source->buffer + source->at;
		inflater->avail_in = (unsigned int)(source->end - source->at);
		result = inflate(inflater, Z_NO_FLUSH);
		source->at = source->end - inflater->avail_in;
		source->in_stream = result != Z_STREAM_END;
		if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR)
			continue;
		snprintf(source->error, sizeof(source->error), "damaged gzip data (%s)",
			inflater->msg != NULL ? inflater->msg : "no memory");
		source->failed = true;
		break;
	}
	return (size_t)(inflater->next_out - bytes);
}

/* @return number of bytes read, at least one; 0 after the end, an error, or a signal */
static size_t
take(struct source *source, uint8_t *bytes, size_t count)
{
	size_t taken;

	if (!source->decided)
		decide(source);
	if (source->gzip)
		return take_inflated(source, bytes, count);
	if (source->at == source->end && !fill(source))
		return 0;
	taken = source->end - source->at < count ? source->end - source->at : count;
	memcpy(bytes, source->buffer + source->at, taken);
	source->at += taken;
	return taken;
}

/* Read up to count bytes. Return when at least `needed` bytes have been read, or at the end. */
static size_t
read_bytes(struct source *source, void *bytes, size_t count, size_t needed)
{
	size_t total = 0, taken;

	while (total < needed && !source->failed && !source_is_stopped(source)) {
		taken = take(source, (uint8_t *)bytes + total, count - total);
		total += taken;
		if (taken == 0)
			break;
	}
	return total;
}

size_t
source_read(struct source *source, void *bytes, size_t count)
{
	return read_bytes(source, bytes, count, count);
}

const char *
source_error(const struct source *source)
{
	return source->failed ? source->error : NULL;
}

bool
source_is_stopped(const struct source *source)
{
	return source->stopped || source->change != NULL;
}

const char *
source_change(const struct source *source)
{
	return source->change;
}

int
source_permille(const struct source *source)
{
	if (source->size <= 0 || source->taken > (uint64_t)source->size)
		return -1;
	return (int)(source->taken * 1000 / (uint64_t)source->size);
}

static ssize_t
stream_read(void *cookie, char *bytes, size_t count)
{
	struct source *source = cookie;
	size_t got = 0;

	while (got < count && source->head_at < source->head_count)
		bytes[got++] = (char)source->head[source->head_at++];
	/*
	 * If the stream has no bytes yet, return the available bytes without waiting for count
	 * bytes, because a pipe or a growing file may deliver more bytes only much later.
	 */
	if (got == 0)
		got = read_bytes(source, bytes, count, 1);
	if (got == 0 && source->failed) {
		errno = EIO;
		return -1;
	}
	return (ssize_t)got;
}

FILE *
source_stream(struct source *source, const void *head, size_t count)
{
	const cookie_io_functions_t functions = {.read = stream_read};

	memcpy(source->head, head, count);
	source->head_count = count;
	source->head_at = 0;
	return fopencookie(source, "rb", functions);
}
