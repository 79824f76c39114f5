/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_SETTINGS_H
#define NDPDK_PROMPT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "ndpmd/options.h"

/*
 * What `set` changes: options of the command line, each with its name there and, where the Open
 * Traffic Generator's model of RoCEv2 has the same thing, its name there.
 */

enum settings_when {
	SETTINGS_AT_ONCE,    /**< also of the run that is under way */
	SETTINGS_NEXT_START, /**< of the runs that begin later */
};

struct settings_row {
	const char *name;  /**< of the option, without dashes */
	const char *model; /**< in the model; NULL: it has none */
	enum settings_when when;
	bool is_flag;       /**< on or off */
	bool has_default;   /**< the word default stands for "as if it were not given" */
	size_t offset;      /**< of the member: a flag, or what becomes 0 with the default */
	size_t bytes;       /**< of the latter */
	size_t given;       /**< of the bool that says that it was given; 0 = none */
	const char *values; /**< for help */
};

/** @return row number index, NULL: there are no more */
const struct settings_row *settings_row(size_t index);

/** @return the row of a name, of either kind, NULL: there is none */
const struct settings_row *settings_find(const char *name);

/**
 * Change one.
 * @param why filled with one sentence when false is returned; >= 320 bytes
 */
bool settings_set(struct options *options, const struct settings_row *row, const char *value,
	char *why, size_t size);

/** Copy what takes effect at once. */
void settings_copy_at_once(struct options *to, const struct options *from);

struct json_object;

/** @return new object, the values of all settings with the names of the options */
struct json_object *settings_json(const struct options *options);

#endif
