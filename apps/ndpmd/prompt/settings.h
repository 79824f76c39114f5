/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_SETTINGS_H
#define NDPDK_PROMPT_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "ndpmd/options.h"

/*
 * The settings that the command `set` changes. Each setting is an option of the command line. A
 * setting that the RoCEv2 model of the Open Traffic Generator contains has a second name, the
 * model's name.
 */

enum settings_when {
	SETTINGS_AT_ONCE,    /**< takes effect at once, even for the current run */
	SETTINGS_NEXT_START, /**< takes effect with the next start */
};

struct settings_row {
	const char *name;  /**< name of the option, without dashes */
	const char *model; /**< name of the setting in the model; NULL = none */
	enum settings_when when;
	bool is_flag;     /**< the values are on and off */
	bool has_default; /**< the value "default" is accepted, as if the option were omitted */
	/** offset of a flag's bool, or of the member that "default" sets to 0 */
	size_t offset;
	size_t bytes; /**< size in bytes of the member that "default" sets to 0 */
	size_t given; /**< offset of a bool that is set when the option is given; 0 = no bool */
	const char *values; /**< description of the values for help */
};

/** @return row of the table; NULL: no more rows */
const struct settings_row *settings_row(size_t index);

/** @return row whose option or model name is name; NULL = no such setting */
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

/** @return new object with the values of all settings, under the names of the options */
struct json_object *settings_json(const struct options *options);

#endif
