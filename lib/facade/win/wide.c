/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/** Conversion between UTF-8 and wide strings, which are UTF-32. Independent of the locale. */

#include "win/wide.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t
win_utf8_encode(char to[WIN_UTF8_MAX], wchar_t letter)
{
	uint32_t c = (uint32_t)letter;

	if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
		c = WIN_REPLACEMENT;
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xC0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3F));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xE0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3F));
		to[2] = (char)(0x80 | (c & 0x3F));
		return 3;
	}
	to[0] = (char)(0xF0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3F));
	to[2] = (char)(0x80 | (c >> 6 & 0x3F));
	to[3] = (char)(0x80 | (c & 0x3F));
	return 4;
}

size_t
win_utf8_decode(const char *from, size_t length, wchar_t *letter)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *bytes = (const unsigned char *)from;
	uint32_t c = bytes[0];
	size_t n;

	*letter = (wchar_t)c;
	if (c < 0x80)
		return 1;
	*letter = (wchar_t)WIN_REPLACEMENT;
	if (c < 0xC0 || c >= 0xF8)
		return 1;
	n = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
	c &= 0x7Fu >> n;
	if (n > length)
		return 1;
	for (size_t i = 1; i < n; i++) {
		if ((bytes[i] & 0xC0) != 0x80)
			return 1;
		c = c << 6 | (bytes[i] & 0x3F);
	}
	if (c >= smallest[n] && c <= 0x10FFFF && !(c >= 0xD800 && c < 0xE000))
		*letter = (wchar_t)c;
	return n;
}

char *
win_utf8_of_wide(const wchar_t *from)
{
	char *text = malloc(wcslen(from) * WIN_UTF8_MAX + 1);
	size_t length = 0;

	if (!text)
		return NULL;
	for (; *from; from++)
		length += win_utf8_encode(text + length, *from);
	text[length] = '\0';
	return text;
}

wchar_t *
win_wide_of_utf8(const char *from)
{
	size_t left = strlen(from);
	wchar_t *text = malloc((left + 1) * sizeof(*text));
	size_t length = 0;

	if (!text)
		return NULL;
	while (left > 0) {
		size_t n = win_utf8_decode(from, left, &text[length++]);

		from += n;
		left -= n;
	}
	text[length] = L'\0';
	return text;
}
