/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "support/golden.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

void
golden_print(struct golden_text *text, const char *format, ...)
{
	size_t room = sizeof(text->bytes) - text->length;
	va_list args;
	int bytes;

	va_start(args, format);
	bytes = vsnprintf(text->bytes + text->length, room, format, args);
	va_end(args);
	cr_assert(bytes >= 0 && (size_t)bytes < room, "the text is too long");
	text->length += (unsigned int)bytes;
}

static void
write_file(const char *path, const struct golden_text *text)
{
	FILE *file = fopen(path, "w");

	cr_assert_not_null(file, "%s cannot be written", path);
	cr_assert_eq(fwrite(text->bytes, 1, text->length, file), text->length);
	cr_assert_eq(fclose(file), 0);
}

static unsigned int
line_of_difference(const char *a, const char *b)
{
	unsigned int line = 1;

	for (; *a == *b && *a != '\0'; a++, b++)
		line += *a == '\n';
	return line;
}

void
golden_check(const char *path, const struct golden_text *text)
{
	static struct golden_text kept;
	FILE *file;

	if (getenv("ND_GOLDEN_WRITE") != NULL)
		write_file(path, text);
	file = fopen(path, "r");
	cr_assert_not_null(file, "%s cannot be read", path);
	memset(&kept, 0, sizeof(kept));
	kept.length = (unsigned int)fread(kept.bytes, 1, sizeof(kept.bytes) - 1, file);
	fclose(file);
	cr_assert(kept.length == text->length && memcmp(kept.bytes, text->bytes, text->length) == 0,
		"%s differs in line %u; ND_GOLDEN_WRITE=1 writes it", path,
		line_of_difference(kept.bytes, text->bytes));
}
