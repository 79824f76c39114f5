/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDREPLAY_LIVE_SCRIPT_H
#define NDPDK_NDREPLAY_LIVE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

/*
 * What one side of a recorded connection does, and what it gets from its peer: made once of the
 * model, and played by any number of players (live_player.h). "Own" is the side that is played.
 *
 * Memory that own keys open keeps its recorded addresses, because a registration may have any base.
 * So only keys are replaced in what is sent; of what is received, keys and addresses are learned.
 */

#define SCRIPT_NONE SIZE_MAX

/** In place of a message: the private data of the REQ or REP. */
#define SCRIPT_PRIVATE (SIZE_MAX - 1)

/** Private data that the API takes, at most. */
#define SCRIPT_PRIVATE_BYTES 148

/** Messages are searched for keys up to here. */
#define SCRIPT_SEARCH_BYTES 4096u

enum script_form {
	SCRIPT_BIG,    /**< binary, network byte order */
	SCRIPT_LITTLE, /**< binary, low byte first */
	SCRIPT_TEXT,   /**< hexadecimal digits */
};

/** Where a number stands in a message. */
struct script_number {
	uint32_t at;    /**< offset of its first byte */
	uint32_t bytes; /**< of text: digits; 0 = there is none */
	enum script_form form;
};

/**
 * An announcement: a key, and perhaps its address, in a message of its owner; or, when no message
 * has both, its address only.
 */
struct script_place {
	size_t key;     /**< of the owner */
	size_t message; /**< of own keys: operation; of the peer's: message; or SCRIPT_PRIVATE */
	struct script_number token, address;
	uint64_t base; /**< address as recorded */
};

/** A key of either side. */
struct script_key {
	uint32_t value;    /**< recorded */
	bool announced;    /**< there is a place */
	bool only_refused; /**< no use of it succeeded */
	uint64_t low, end; /**< addresses of its uses */
	/* Of own keys. */
	uint32_t rights;  /**< ND_OP_FLAG_ALLOW_...; 0 = there is nothing to bind */
	size_t area;      /**< that holds its addresses */
	size_t bind_at;   /**< operation before which it is bound first, or SCRIPT_PRIVATE */
	size_t closed_at; /**< operation before which it is invalidated, or SCRIPT_NONE */
};

/** An operation of this side, in the order of posting. */
struct script_operation {
	const struct nd_model_operation *model;
	size_t data_at;      /**< offset of its bytes in the player's memory */
	uint64_t due_ns;     /**< behind the start of the connection */
	size_t messages;     /**< of the peer, that had come before it */
	size_t key;          /**< of the peer, or SCRIPT_NONE */
	size_t place;        /**< first of own_places for it; they follow each other */
	const char *skipped; /**< why it is not played; NULL: it is */
};

/** A message of the peer, which takes a receive. */
struct script_message {
	const struct nd_model_operation *model;
	size_t operation;   /**< of the peer */
	uint64_t bytes;     /**< 0 for a WRITE with immediate data */
	bool refused;       /**< it did not fit the receive, or there never was one */
	bool lost;          /**< an operation before it was refused, which ended the connection */
	bool never;         /**< there never was a receive */
	bool late;          /**< there was no receive until absent_ns */
	uint64_t absent_ns; /**< behind the start of the connection */
	uint64_t time_ns;   /**< in the capture */
	size_t answers;     /**< own operation that it answers, or SCRIPT_NONE */
	size_t place;       /**< first of peer_places for it */
	size_t check;       /**< first of checks due behind it */
};

/** Memory that own keys open; overlapping keys share one. */
struct script_area {
	uint64_t base, bytes;
	uint8_t *initial; /**< content at the start */
};

/** Bytes that the owner of memory changed: the peer's next READ found them. */
struct script_poke {
	size_t before; /**< operation; SCRIPT_NONE: only the time is known */
	uint64_t due_ns;
	size_t area;
	uint64_t offset, bytes;
	uint8_t *data;
};

/** A WRITE of the peer that can be compared when a message has come, or at the end. */
struct script_check {
	size_t message;   /**< SCRIPT_NONE: at the end */
	size_t operation; /**< of the peer */
	size_t area;
	uint64_t offset;
};

struct script {
	const struct nd_model *model;
	const struct nd_model_connection *connection;
	size_t index;              /**< of the connection */
	unsigned side;             /**< that is played: 0 connects, 1 listens */
	uint64_t start_ns, end_ns; /**< of the connection, in the capture */
	uint64_t up_ns;            /**< when it was established */
	uint64_t close_due_ns;     /**< of the own disconnect, behind up_ns */
	bool closes;               /**< this side disconnects */
	bool rejected;             /**< the passive side rejected */
	bool peer_acts_last;       /**< peer's operations follow that this side does not see */
	bool closes_windows;       /**< an own key has a closed_at */
	bool breaks; /**< it ended by an operation that was refused, or not answered */

	struct script_operation *operations;
	struct script_message *messages;
	struct script_key *own_keys, *peer_keys;
	struct script_place *own_places, *peer_places; /**< ordered by message, private data last */
	struct script_area *areas;
	struct script_poke *pokes;   /**< ordered by operation, those with a time only last */
	struct script_check *checks; /**< ordered by message, those at the end last */
	size_t operation_count, message_count, own_key_count, peer_key_count;
	size_t own_place_count, peer_place_count, area_count, poke_count, check_count;
	size_t skipped_count;

	uint8_t own_data[SCRIPT_PRIVATE_BYTES], peer_data[SCRIPT_PRIVATE_BYTES];
	size_t own_data_bytes, peer_data_bytes; /**< 0 = not recorded */
	uint64_t data_bytes;                    /**< of all operations */
	uint64_t message_bytes_max;
};

/**
 * @param why filled with one sentence when false is returned: the connection cannot be played
 */
bool script_make(struct script *script, const struct nd_model *model, size_t index, unsigned side,
	char *why, size_t size);

void script_free(struct script *script);

/** Find announcements: live_announce.c. @return false: memory is exhausted */
bool script_find_announcements(struct script *script);

/** Areas, pokes and checks: live_memory.c. @return false, with a sentence in why */
bool script_plan_memory(struct script *script, char *why, size_t size);

/** @return the last own message below this number of own operations; SCRIPT_NONE: there is none */
size_t script_own_message(const struct script *script, size_t count);

/** @return bytes of the peer's operation; to is filled as nd_model_payload() does */
size_t script_peer_payload(
	const struct script *script, size_t operation, uint8_t *to, uint8_t *known, size_t bytes);

/** Whether an operation is a message: it takes a receive of its target. */
static inline bool
script_is_message(const struct nd_model_operation *operation)
{
	return operation->kind == ND_MODEL_SEND || operation->kind == ND_MODEL_SEND_IMMEDIATE ||
		operation->kind == ND_MODEL_SEND_INVALIDATE ||
		operation->kind == ND_MODEL_WRITE_IMMEDIATE;
}

/** @return name of the kind, e.g. "SEND"; static text */
const char *script_kind_name(enum nd_model_kind kind);

#endif
