/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_SETTINGS_H
#define NDPDK_PROMPT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "ndpmd/options.h"

/*
 * The settings that `set` changes. Each is an option of the command line. If the RoCEv2 model of
 * the Open Traffic Generator has the same setting, the setting also has the name of the model.
 */

enum settings_when {
	SETTINGS_AT_ONCE,    /**< also for the current run */
	SETTINGS_NEXT_START, /**< only for later runs */
};

struct settings_row {
	const char *name;  /**< name of the option, without dashes */
	const char *model; /**< name in the model; NULL: none */
	enum settings_when when;
	bool is_flag;       /**< on or off */
	bool has_default;   /**< the value default means: option not given */
	size_t offset;      /**< offset of a flag, or of the member that default sets to 0 */
	size_t bytes;       /**< size of the member that default sets to 0 */
	size_t given;       /**< offset of a bool that is set if the option is given; 0 = none */
	const char *values; /**< description of the values for help */
};

/** @return row of the table; NULL: no more rows */
const struct settings_row *settings_row(size_t index);

/** @return row with this name of an option or of the model; NULL: none */
const struct settings_row *settings_find(const char *name);

/**
 * Change one setting.
 * @param why filled with one sentence when false is returned; >= 320 bytes
 */
bool settings_set(struct options *options, const struct settings_row *row, const char *value,
	char *why, size_t size);

/** Copy the settings that take effect at once. */
void settings_copy_at_once(struct options *to, const struct options *from);

struct json_object;

/** @return new object, the values of all settings with the names of the options */
struct json_object *settings_json(const struct options *options);

#endif
