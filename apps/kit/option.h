/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_OPTION_H
#define NDPDK_KIT_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The command line of an application as a table. Each row describes one option, and is used for
 * parsing, for the message about an invalid value, and for --help.
 *
 * Values are stored in members of the application's struct options. The application checks
 * combinations of options after option_parse().
 */

enum option_kind {
	OPTION_FLAG,    /**< bool, set to true */
	OPTION_MODE,    /**< enum, set to min; two options that set different modes are an error */
	OPTION_NUMBER,  /**< unsigned integer, min..max; decimal, 0x hexadecimal or 0 octal */
	OPTION_SIZE,    /**< like OPTION_NUMBER; suffix K, M or G multiplies by a power of 1024 */
	OPTION_POWER,   /**< unsigned integer, a power of two, min..max */
	OPTION_SECONDS, /**< uint64_t in ns, at least min; given as seconds with decimals */
	OPTION_CHOICE,  /**< enum, the index of the word in choices */
	OPTION_ADDRESS, /**< struct sockaddr_storage: IPv4 or IPv6, no names, no port */
	OPTION_CALL,    /**< take() stores the value */
	OPTION_REFUSED, /**< option of other programs; always an error, with text expected */
};

struct option_row {
	const char *name; /**< name without dashes; one character = a short option */
	enum option_kind kind;
	size_t offset;     /**< offset in bytes of the value's member; set by OPTION_AT */
	uint8_t bytes;     /**< size in bytes of a member that is an integer or enum */
	uint64_t min, max; /**< range of an integer */
	const char *value; /**< name of the value in the help text; NULL: the option has no value */
	const char *help;  /**< help text; a line feed starts a new line */

	const char *expected; /**< text after "is not valid: expected"; NULL = print min..max */
	size_t given; /**< offset of a bool that is set when the option is given; 0 = no bool */
	const char *const *choices; /**< words, terminated by NULL */
	/**
	 * Parse and store the value. The value is NULL if the option was given without a value.
	 * @return true if the value is valid
	 */
	bool (*take)(void *options, const char *value);
	bool optional; /**< the command line may omit the option's value */
};

/** Initialise offset and bytes of a row for a member of an options struct. */
#define OPTION_AT(type, member)                                                                    \
	.offset = offsetof(type, member), .bytes = sizeof(((type *)NULL)->member)

/** A table of rows that several applications can use. The rows' offsets are relative to base. */
struct option_table {
	const struct option_row *rows;
	size_t count;
	size_t base; /**< offset that is added to the offsets of the rows */
};

struct option_set {
	const struct option_table *tables;
	size_t count;
	int help_column;
};

/** Highest number of rows in all tables of an option set together. */
#define OPTION_ROWS_MAX 128u

/**
 * Parse the command line.
 *
 * @param options the application's struct, which contains the defaults
 * @param count, arguments arguments of main(), beginning with the program's name
 * @param why filled with one sentence without line feed when false is returned; >= 256 bytes
 * @return whether all arguments are options with valid values
 */
bool option_parse(const struct option_set *set, void *options, int count, char *const arguments[],
	char *why, size_t size);

/**
 * Parse the command line of a command that accepts operands, such as names of files. Operands may
 * precede, separate and follow the options. All arguments after a lone -- are operands. The
 * parameters are those of option_parse().
 *
 * @param arguments reordered: the operands come last
 * @return index of the first operand; count if there are no operands; -1 if why has been filled
 */
int option_parse_operands(const struct option_set *set, void *options, int count, char *arguments[],
	char *why, size_t size);

void option_print_help(const struct option_set *set, FILE *stream);

/** Write a sentence into why. @return false */
bool
option_fail(char *why, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
