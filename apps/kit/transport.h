/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_KIT_TRANSPORT_H
#define NDPDK_KIT_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_config.h>

#include "kit/option.h"

/*
 * Options for the settings of connections and of their packets. An option for a setting of the
 * library has the name of a member of struct nd_adapter_config. The value 0 selects the library's
 * default.
 */

struct transport {
	/** Settings that have an option. transport_config() fills the member dcqcn. */
	struct nd_adapter_config config;
	struct nd_dcqcn_parameters dcqcn;
	bool has_dcqcn;          /**< a parameter was given */
	const char *dcqcn_twice; /**< name of a parameter that was given twice; NULL = none */

	/* Settings for posting requests. 0 = the option was not given. */
	uint32_t reads;     /**< highest number of outstanding READs and atomics of a queue pair */
	uint32_t post_list; /**< requests in one batch */
	uint32_t inline_bytes; /**< messages up to this size are posted as inline data */
};

#define TRANSPORT_ROW_COUNT 30

extern const struct option_row transport_rows[TRANSPORT_ROW_COUNT];

/**
 * Initialiser of a struct option_table with these options, for the member of type struct transport.
 */
#define TRANSPORT_TABLE(type, member)                                                              \
	{                                                                                          \
		transport_rows, TRANSPORT_ROW_COUNT, offsetof(type, member)                        \
	}

/**
 * Check the combination of these options.
 * @return false: the combination is not valid, and why (>= 256 bytes) has the reason
 */
bool transport_check(const struct transport *transport, char *why, size_t size);

/** Size in bytes of a buffer for all parameters of DCQCN as text. */
#define TRANSPORT_DCQCN_BYTES 640

/** Write the names of all parameters of DCQCN, separated by commas. */
void transport_dcqcn_names(char *text, size_t size);

/** Write the DCQCN parameters that were given, in the format of --dcqcn; "" if there are none. */
void transport_dcqcn_text(const struct transport *transport, char text[TRANSPORT_DCQCN_BYTES]);

/**
 * Convert the options to the configuration of an adapter.
 *
 * @param transport must stay valid while the configuration is used
 * @return configuration in which only the members for these options are set
 */
struct nd_adapter_config transport_config(const struct transport *transport);

#endif
