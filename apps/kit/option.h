/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_OPTION_H
#define NDPDK_KIT_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The command line of an application as a table: a row has all that there is to know of an option.
 * Parsing, the sentence about a value that is not valid, and --help come from the row.
 *
 * Values are stored in members of the application's struct options. What does not go together is
 * the application's to check, after option_parse().
 */

enum option_kind {
	OPTION_FLAG,    /**< bool, which becomes true */
	OPTION_MODE,    /**< enum, which becomes min; another one before it is refused: expected */
	OPTION_NUMBER,  /**< unsigned integer, min..max; decimal, 0x hexadecimal or 0 octal */
	OPTION_SIZE,    /**< likewise, with a suffix K, M or G: powers of 1024 */
	OPTION_POWER,   /**< unsigned integer, a power of two, min..max */
	OPTION_SECONDS, /**< uint64_t of nanoseconds, min..; given as seconds with decimals */
	OPTION_CHOICE,  /**< enum, the index of the word in choices */
	OPTION_ADDRESS, /**< struct sockaddr_storage: IPv4 or IPv6, no names, no port */
	OPTION_CALL,    /**< what take() makes of it */
	OPTION_REFUSED, /**< a letter of another program that is not for this one: expected */
};

struct option_row {
	const char *name; /**< of one character: a short option */
	enum option_kind kind;
	size_t offset;     /**< of the member; see OPTION_AT */
	uint8_t bytes;     /**< of an integer or enum */
	uint64_t min, max; /**< range of an integer */
	const char *value; /**< its name in the help text; NULL: the option takes none */
	const char *help;  /**< with a line feed where a new line is wanted */

	const char *expected; /**< behind "... is not valid: expected"; NULL: it is the range */
	size_t given;         /**< offset of a bool that says that it was given; 0 = none */
	const char *const *choices; /**< up to NULL */
	/** @return whether the value is valid. @param value NULL: the option has none */
	bool (*take)(void *options, const char *value);
	bool optional; /**< it may stand without a value */
};

/** The member of a struct that a row is for. */
#define OPTION_AT(type, member)                                                                    \
	.offset = offsetof(type, member), .bytes = sizeof(((type *)NULL)->member)

/** Rows whose offsets count from the same place of the application's struct. */
struct option_table {
	const struct option_row *rows;
	size_t count;
	size_t base; /**< offset of this place */
};

/** All options of an application. */
struct option_set {
	const struct option_table *tables;
	size_t count;
	int help_column; /**< where the help texts begin */
};

/** Rows of all tables together, at most. */
#define OPTION_ROWS_MAX 128u

/**
 * @param options the application's struct, with its defaults
 * @param count, arguments as main() gets them, the program's name first
 * @param why filled with one sentence without line feed when false is returned; >= 256 bytes
 * @return whether all arguments are options with valid values
 */
bool option_parse(const struct option_set *set, void *options, int count, char *const arguments[],
	char *why, size_t size);

/**
 * As option_parse(), for a command that takes operands, such as names of files. They may stand
 * before, between and behind the options; all that stands behind a lone -- is an operand.
 *
 * @param arguments reordered: the operands come last
 * @return index of the first operand, count when there is none; -1: why has been filled
 */
int option_parse_operands(const struct option_set *set, void *options, int count, char *arguments[],
	char *why, size_t size);

/** Write a line for each option. */
void option_print_help(const struct option_set *set, FILE *stream);

/** Write a sentence. @return false */
bool
option_fail(char *why, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
