/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_LIVE_SCRIPT_H
#define NDPDK_PLAYER_LIVE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/nd_model.h>

/*
 * The script of one side of a recorded connection: its operations, and the messages of its peer. A
 * script is created once from the model. Any number of players (live_player.h) can replay it. "Own"
 * refers to the replayed side.
 *
 * Memory of own keys is registered at its recorded addresses, because a registration may have any
 * base. Therefore only keys are replaced in sent data, not addresses. Keys and addresses of the
 * peer are read from received data.
 */

#define SCRIPT_NONE SIZE_MAX

/** Special message index: the private data of the REQ or REP. */
#define SCRIPT_PRIVATE (SIZE_MAX - 1)

/** Maximum number of bytes of private data in the API. */
#define SCRIPT_PRIVATE_BYTES 148

/** Number of bytes at the start of a message in which keys are searched. */
#define SCRIPT_SEARCH_BYTES 4096u

enum script_form {
	SCRIPT_BIG,    /**< binary, network byte order */
	SCRIPT_LITTLE, /**< binary, low byte first */
	SCRIPT_TEXT,   /**< hexadecimal digits */
};

struct script_number {
	uint32_t at;
	uint32_t bytes; /**< length in bytes, or number of digits of text; 0 = no number */
	enum script_form form;
};

/**
 * An announcement: a key in a message of the key's owner, possibly with the address of the key. If
 * no message contains both key and address, an announcement may consist of an address alone.
 */
struct script_place {
	size_t key;     /**< index of the key among the owner's keys */
	size_t message; /**< index of own operation or peer's message, or SCRIPT_PRIVATE */
	struct script_number token, address;
	uint64_t base; /**< recorded address */
};

struct script_key {
	uint32_t value;    /**< recorded value */
	bool announced;    /**< an announcement was found */
	bool only_refused; /**< true if no use of the key succeeded */
	uint64_t low, end; /**< addresses of its uses */
	/* Only for own keys: */
	uint32_t rights;  /**< ND_OP_FLAG_ALLOW_... of the window; 0 = no window is bound */
	size_t area;      /**< index of the memory area that contains the key's addresses */
	size_t bind_at;   /**< index of the operation before which the key is bound */
	size_t closed_at; /**< operation before which the key is invalidated, or SCRIPT_NONE */
};

/** An operation of the replayed side. Operations are stored in the order of posting. */
struct script_operation {
	const struct nd_model_operation *model;
	size_t data_at;      /**< offset of the operation's bytes in player.data */
	uint64_t due_ns;     /**< time of posting, since the connection was established */
	size_t messages;     /**< number of the peer's messages that must arrive before posting */
	size_t key;          /**< index of the accessed key of the peer, or SCRIPT_NONE */
	size_t place;        /**< index in own_places of the operation's first announcement */
	const char *skipped; /**< reason why the operation is skipped; NULL = it is replayed */
};

/** A message of the peer (SEND, or WRITE with immediate data), which consumes a receive. */
struct script_message {
	const struct nd_model_operation *model;
	size_t operation;   /**< index of the message among the peer's operations */
	uint64_t bytes;     /**< bytes in the receive; 0 for a WRITE with immediate data */
	bool refused;       /**< the message was longer than its receive, or had no receive */
	bool lost;          /**< an earlier operation was refused, so the connection had ended */
	bool never;         /**< no receive was posted */
	bool late;          /**< no receive was posted before absent_ns */
	uint64_t absent_ns; /**< time since up_ns until which no receive was posted */
	uint64_t time_ns;   /**< capture time of the message's last packet */
	size_t answers;     /**< own operation that the message answers, or SCRIPT_NONE */
	size_t place;       /**< index in peer_places of the message's first announcement */
	size_t check;       /**< index of the first check after this message */
};

/** Memory to which own keys give access. Overlapping keys share an area. */
struct script_area {
	uint64_t base, bytes;
	uint8_t *initial; /**< content of the memory at the start */
};

/** Bytes that the owner of the memory changed before a READ of the peer found the changed bytes. */
struct script_poke {
	size_t before; /**< operation that follows the change; SCRIPT_NONE: only due_ns is known */
	uint64_t due_ns;
	size_t area;
	uint64_t offset, bytes;
	uint8_t *data;
};

/** A WRITE of the peer. Its bytes are compared after a message has arrived, or at the end. */
struct script_check {
	size_t message;   /**< message index before the comparison; SCRIPT_NONE: at the end */
	size_t operation; /**< index of the WRITE among the peer's operations */
	size_t area;
	uint64_t offset;
};

struct script {
	const struct nd_model *model;
	const struct nd_model_connection *connection;
	size_t index;              /**< index of the connection */
	unsigned side;             /**< replayed side: 0 = the client, 1 = the server */
	uint64_t start_ns, end_ns; /**< begin and end of the connection, as capture times */
	uint64_t up_ns;            /**< capture time when the connection was established */
	uint64_t close_due_ns;     /**< time from up_ns to the disconnect of this side */
	bool closes;               /**< this side disconnects */
	bool rejected;             /**< the passive side rejected the connection */
	bool peer_acts_last;       /**< the peer's last operation is invisible to this side */
	bool closes_windows;       /**< at least one own key is invalidated (closed_at) */
	bool breaks;               /**< a refused or unanswered operation ended the connection */

	struct script_operation *operations;
	struct script_message *messages;
	struct script_key *own_keys, *peer_keys;
	struct script_place *own_places, *peer_places; /**< sorted by message; private data last */
	struct script_area *areas;
	struct script_poke *pokes;   /**< sorted by `before`; SCRIPT_NONE is last */
	struct script_check *checks; /**< sorted by message; SCRIPT_NONE is last */
	size_t operation_count, message_count, own_key_count, peer_key_count;
	size_t own_place_count, peer_place_count, area_count, poke_count, check_count;
	size_t skipped_count;

	uint8_t own_data[SCRIPT_PRIVATE_BYTES], peer_data[SCRIPT_PRIVATE_BYTES];
	size_t own_data_bytes, peer_data_bytes; /**< 0 = not recorded */
	uint64_t data_bytes;
	uint64_t message_bytes_max;
};

/**
 * Create a script.
 *
 * @param why receives one sentence if false is returned: the connection cannot be replayed
 */
bool script_make(struct script *script, const struct nd_model *model, size_t index, unsigned side,
	char *why, size_t size);

void script_free(struct script *script);

/** Find the announcements of keys (live_announce.c). @return false: memory is exhausted */
bool script_find_announcements(struct script *script);

/** Plan areas, changes and checks of memory (live_memory.c). @return false: why has the reason */
bool script_plan_memory(struct script *script, char *why, size_t size);

/** @return true if an operation is a message, which consumes a receive of the receiver. */
static inline bool
script_is_message(const struct nd_model_operation *operation)
{
	return operation->kind == ND_MODEL_SEND || operation->kind == ND_MODEL_SEND_IMMEDIATE ||
		operation->kind == ND_MODEL_SEND_INVALIDATE ||
		operation->kind == ND_MODEL_WRITE_IMMEDIATE;
}

/** @return index of the last message among the first `count` own operations; SCRIPT_NONE: none */
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

/**
 * Get the payload of an operation of the peer. The arrays `to` and `known` are filled as by
 * nd_model_payload().
 *
 * @return number of bytes
 */
static inline size_t
script_peer_payload(
	const struct script *script, size_t operation, uint8_t *to, uint8_t *known, size_t bytes)
{
	return nd_model_payload(
		script->model, script->index, !script->side, operation, 0, to, known, bytes);
}

/** @return name of a kind of operation, e.g. "SEND"; static text */
const char *script_kind_name(enum nd_model_kind kind);

#endif
