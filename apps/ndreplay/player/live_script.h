/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_LIVE_SCRIPT_H
#define NDPDK_PLAYER_LIVE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

/*
 * The script of one side of a recorded connection: its operations, and the messages of its peer. It
 * is created once from the model, and any number of players (live_player.h) replay it. "Own" means
 * the replayed side.
 *
 * Memory of own keys keeps its recorded addresses, because a registration may have any base.
 * Therefore only keys are replaced in sent data. Keys and addresses of the peer are read from
 * received data.
 */

#define SCRIPT_NONE SIZE_MAX

/** Used instead of a message index: the private data of the REQ or REP. */
#define SCRIPT_PRIVATE (SIZE_MAX - 1)

/** Maximum size of private data in the API. */
#define SCRIPT_PRIVATE_BYTES 148

/** Number of bytes at the start of a message that are searched for keys. */
#define SCRIPT_SEARCH_BYTES 4096u

enum script_form {
	SCRIPT_BIG,    /**< binary, network byte order */
	SCRIPT_LITTLE, /**< binary, low byte first */
	SCRIPT_TEXT,   /**< hexadecimal digits */
};

/** Position of a number in a message. */
struct script_number {
	uint32_t at;    /**< offset of its first byte */
	uint32_t bytes; /**< length, in text the number of digits; 0 = no number */
	enum script_form form;
};

/**
 * An announcement: a key, and possibly its address, in a message of its owner. If no message has
 * both, the address alone.
 */
struct script_place {
	size_t key;     /**< index of the key of the owner */
	size_t message; /**< own operation or message of the peer, or SCRIPT_PRIVATE */
	struct script_number token, address;
	uint64_t base; /**< recorded address */
};

/** A key of either side. */
struct script_key {
	uint32_t value;    /**< recorded value */
	bool announced;    /**< an announcement was found */
	bool only_refused; /**< no use of it succeeded */
	uint64_t low, end; /**< addresses of its uses */
	/* Only for own keys: */
	uint32_t rights;  /**< ND_OP_FLAG_ALLOW_...; 0 = no window is bound */
	size_t area;      /**< index of the area that contains its addresses */
	size_t bind_at;   /**< operation before which it is first bound, or SCRIPT_PRIVATE */
	size_t closed_at; /**< operation before which it is invalidated, or SCRIPT_NONE */
};

/** An operation of this side, in the order of posting. */
struct script_operation {
	const struct nd_model_operation *model;
	size_t data_at;      /**< offset of its bytes in the player's memory */
	uint64_t due_ns;     /**< time since the start of the connection */
	size_t messages;     /**< number of messages of the peer that arrived before it */
	size_t key;          /**< index of the key of the peer, or SCRIPT_NONE */
	size_t place;        /**< index of its first announcement in own_places */
	const char *skipped; /**< why it is not replayed; NULL: it is replayed */
};

/** A message of the peer, which consumes a receive. */
struct script_message {
	const struct nd_model_operation *model;
	size_t operation;   /**< of the peer */
	uint64_t bytes;     /**< 0 for a WRITE with immediate data */
	bool refused;       /**< it did not fit the receive, or no receive was posted */
	bool lost;          /**< an operation before it was refused, which ended the connection */
	bool never;         /**< no receive was posted */
	bool late;          /**< no receive was posted before absent_ns */
	uint64_t absent_ns; /**< time since the start of the connection */
	uint64_t time_ns;   /**< in the capture */
	size_t answers;     /**< index of the own operation that it answers, or SCRIPT_NONE */
	size_t place;       /**< index of its first announcement in peer_places */
	size_t check;       /**< index of the first of the checks after it */
};

/** Memory that own keys open. Overlapping keys share an area. */
struct script_area {
	uint64_t base, bytes;
	uint8_t *initial; /**< content at the start */
};

/** Bytes that the owner of memory changed before the next READ of the peer. */
struct script_poke {
	size_t before; /**< index of the next operation; SCRIPT_NONE: only due_ns is known */
	uint64_t due_ns;
	size_t area;
	uint64_t offset, bytes;
	uint8_t *data;
};

/** A WRITE of the peer that is compared after a message has arrived, or at the end. */
struct script_check {
	size_t message;   /**< index of the message; SCRIPT_NONE: at the end */
	size_t operation; /**< of the peer */
	size_t area;
	uint64_t offset;
};

struct script {
	const struct nd_model *model;
	const struct nd_model_connection *connection;
	size_t index;              /**< index of the connection */
	unsigned side;             /**< side that is replayed: 0 connects, 1 listens */
	uint64_t start_ns, end_ns; /**< begin and end of the connection in the capture */
	uint64_t up_ns;            /**< time when the connection was established */
	uint64_t close_due_ns;     /**< time of the own disconnect, since up_ns */
	bool closes;               /**< this side disconnects */
	bool rejected;             /**< the passive side rejected */
	bool peer_acts_last;       /**< the peer then has operations that this side does not see */
	bool closes_windows;       /**< an own key has a closed_at */
	bool breaks;               /**< it ended by a refused or unanswered operation */

	struct script_operation *operations;
	struct script_message *messages;
	struct script_key *own_keys, *peer_keys;
	struct script_place *own_places, *peer_places; /**< sorted by message, private data last */
	struct script_area *areas;
	struct script_poke *pokes;   /**< sorted by operation; entries with only a time are last */
	struct script_check *checks; /**< sorted by message; entries for the end are last */
	size_t operation_count, message_count, own_key_count, peer_key_count;
	size_t own_place_count, peer_place_count, area_count, poke_count, check_count;
	size_t skipped_count;

	uint8_t own_data[SCRIPT_PRIVATE_BYTES], peer_data[SCRIPT_PRIVATE_BYTES];
	size_t own_data_bytes, peer_data_bytes; /**< 0 = not recorded */
	uint64_t data_bytes;                    /**< number of bytes of all operations */
	uint64_t message_bytes_max;
};

/** @param why filled with one sentence if false is returned: the connection cannot be replayed */
bool script_make(struct script *script, const struct nd_model *model, size_t index, unsigned side,
	char *why, size_t size);

void script_free(struct script *script);

/** Find announcements: live_announce.c. @return false: memory is exhausted */
bool script_find_announcements(struct script *script);

/** Areas, pokes and checks: live_memory.c. @return false, with a sentence in why */
bool script_plan_memory(struct script *script, char *why, size_t size);

/** Whether an operation is a message, which consumes a receive of its target. */
static inline bool
script_is_message(const struct nd_model_operation *operation)
{
	return operation->kind == ND_MODEL_SEND || operation->kind == ND_MODEL_SEND_IMMEDIATE ||
		operation->kind == ND_MODEL_SEND_INVALIDATE ||
		operation->kind == ND_MODEL_WRITE_IMMEDIATE;
}

/** @return index of the last own message among the first count own operations; SCRIPT_NONE: none */
static inline size_t
script_own_message(const struct script *script, size_t count)
{
	while (count > 0) {
		const struct nd_model_operation *operation =
			nd_model_operation(script->model, script->index, script->side, --count);

		if (operation != NULL && script_is_message(operation))
			return count;
	}
	return SCRIPT_NONE;
}

/** @return bytes of an operation of the peer; to and known are filled as by nd_model_payload() */
static inline size_t
script_peer_payload(
	const struct script *script, size_t operation, uint8_t *to, uint8_t *known, size_t bytes)
{
	return nd_model_payload(
		script->model, script->index, !script->side, operation, 0, to, known, bytes);
}

/** @return name of the kind, e.g. "SEND"; static text */
const char *script_kind_name(enum nd_model_kind kind);

#endif
