/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "neigh/parts.h"

#include <string.h>

#include "base/assert.h"

/*
 * Entries are found by binary search in an array of pointers: nothing that strangers send makes
 * a search longer (SEC-048), and there is no key to keep secret. The table never grows
 * (SEC-041).
 *
 * Timers: every one runs for NEIGH_RETRY_NS, so a list to whose end they are appended is sorted,
 * its first entry is the next deadline. Armed by neigh_entry_question() and
 * neigh_table_expire() only; taken off by whatever leaves INCOMPLETE, PROBE or FAILED.
 *
 * Trust (SEC-041): an entry begins when the adapter asks, or when somebody asks for the
 * adapter's address, at a bounded rate and never at the cost of an entry in use. A known MAC
 * address changes only by an answer to a question that went to everybody. Another claim makes
 * the adapter ask at the known MAC address first: connections follow the table, and an owner
 * that still answers there refutes the claim. Only when it is silent is everybody asked. The
 * old MAC address stays until somebody answers.
 */

void
neigh_table_init(struct neigh *neigh)
{
	base_list_init(&neigh->free);
	base_list_init(&neigh->timers);
	base_list_init(&neigh->learned);
	base_list_init(&neigh->used);
	for (uint32_t i = 0; i < neigh->config.entries_max; i++)
		base_list_append(&neigh->free, &neigh->entries[i].node);
}

uint64_t
neigh_table_deadline(const struct neigh *neigh)
{
	struct base_list *node = base_list_first(&neigh->timers);

	if (node == NULL)
		return BASE_TIME_NEVER;
	return base_list_entry(node, struct neigh_entry, node)->due_ns;
}

static int
address_compare(const struct wire_gid *a, const struct wire_gid *b)
{
	return memcmp(a->raw, b->raw, sizeof(a->raw));
}

/** @return index of the first entry that is not before the address, 0..count. */
static uint32_t
position(const struct neigh *neigh, const struct wire_gid *address)
{
	uint32_t low = 0, high = neigh->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (address_compare(&neigh->sorted[middle]->address, address) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct neigh_entry *
neigh_table_find(const struct neigh *neigh, const struct wire_gid *address)
{
	uint32_t index = position(neigh, address);

	if (index == neigh->count || !wire_gid_equal(&neigh->sorted[index]->address, address))
		return NULL;
	return neigh->sorted[index];
}

struct neigh_entry *
neigh_table_add(struct neigh *neigh, const struct wire_gid *address)
{
	struct base_list *node = base_list_first(&neigh->free);
	struct neigh_entry *entry;
	uint32_t index;

	if (node == NULL)
		return NULL;
	base_list_remove(node);
	entry = base_list_entry(node, struct neigh_entry, node);
	*entry = (struct neigh_entry){.address = *address};
	base_list_init(&entry->node);
	index = position(neigh, address);
	memmove(neigh->sorted + index + 1, neigh->sorted + index,
		(neigh->count - index) * sizeof(*neigh->sorted));
	neigh->sorted[index] = entry;
	neigh->count++;
	return entry;
}

static void
entry_remove(struct neigh *neigh, struct neigh_entry *entry)
{
	uint32_t index = position(neigh, &entry->address);

	BASE_ASSERT(neigh->sorted[index] == entry);
	neigh->count--;
	memmove(neigh->sorted + index, neigh->sorted + index + 1,
		(neigh->count - index) * sizeof(*neigh->sorted));
	base_list_remove(&entry->node);
	base_list_append(&neigh->free, &entry->node);
}

void
neigh_table_recycle(struct neigh *neigh, uint64_t now_ns)
{
	struct base_list *node;
	struct neigh_entry *entry;

	if (!base_list_empty(&neigh->free))
		return;
	node = base_list_first(&neigh->learned);
	if (node != NULL) {
		entry_remove(neigh, base_list_entry(node, struct neigh_entry, node));
		return;
	}
	node = base_list_first(&neigh->used);
	if (node == NULL)
		return;
	entry = base_list_entry(node, struct neigh_entry, node);
	if (now_ns >= entry->used_ns + NEIGH_IDLE_NS)
		entry_remove(neigh, entry);
}

bool
neigh_allow(struct neigh_allowance *allowance, uint32_t per_second, uint64_t now_ns)
{
	if (now_ns - allowance->since_ns >= NEIGH_SECOND_NS)
		*allowance = (struct neigh_allowance){.since_ns = now_ns};
	if (allowance->count == per_second)
		return false;
	allowance->count++;
	return true;
}

static void
entry_settle(struct neigh *neigh, struct neigh_entry *entry, uint64_t now_ns)
{
	entry->state = NEIGH_STATE_REACHABLE;
	entry->confirmed_ns = now_ns;
	base_list_remove(&entry->node);
	base_list_append(entry->used ? &neigh->used : &neigh->learned, &entry->node);
}

void
neigh_entry_confirm(struct neigh *neigh, struct neigh_entry *entry,
	const struct rte_ether_addr *mac, uint64_t now_ns)
{
	if (!rte_is_same_ether_addr(&entry->mac, mac))
		return;
	if (entry->state == NEIGH_STATE_REACHABLE)
		entry->confirmed_ns = now_ns;
	else if (entry->state == NEIGH_STATE_PROBE)
		entry_settle(neigh, entry, now_ns);
}

const struct rte_ether_addr *
neigh_entry_asked(struct neigh_entry *entry, uint64_t now_ns)
{
	entry->asked_everybody =
		entry->state != NEIGH_STATE_PROBE || (entry->everybody && entry->asked_count > 1);
	entry->asked_ns = now_ns;
	return entry->asked_everybody ? NULL : &entry->mac;
}

static void
entry_time(struct neigh *neigh, struct neigh_entry *entry, uint64_t now_ns)
{
	entry->due_ns = now_ns + NEIGH_RETRY_NS;
	base_list_remove(&entry->node);
	base_list_append(&neigh->timers, &entry->node);
}

void
neigh_entry_question(
	struct neigh *neigh, struct neigh_entry *entry, enum neigh_state state, uint64_t now_ns)
{
	BASE_ASSERT(state == NEIGH_STATE_INCOMPLETE || state == NEIGH_STATE_PROBE);
	entry->state = state;
	entry->everybody = false;
	entry->asked_count = 1;
	entry_time(neigh, entry, now_ns);
}

struct neigh_entry *
neigh_table_expire(struct neigh *neigh, uint64_t now_ns)
{
	struct neigh_entry *entry = base_list_entry(neigh->timers.next, struct neigh_entry, node);

	BASE_ASSERT(!base_list_empty(&neigh->timers) && entry->due_ns <= now_ns);
	if (entry->state != NEIGH_STATE_FAILED && entry->asked_count < NEIGH_ASK_MAX) {
		entry->asked_count++;
		entry_time(neigh, entry, now_ns);
		return entry;
	}
	if (entry->state == NEIGH_STATE_INCOMPLETE) {
		entry->state = NEIGH_STATE_FAILED;
		entry_time(neigh, entry, now_ns);
	} else {
		/* The next lookup asks everybody. */
		entry_remove(neigh, entry);
	}
	return NULL;
}

/**
 * A host that asks for the adapter's address gets an answer now, and most likely traffic soon: add
 * it.
 */
static void
asker_learn(struct neigh *neigh, const struct wire_gid *address, const struct rte_ether_addr *mac,
	uint64_t now_ns)
{
	struct neigh_entry *entry = NULL;

	if (!neigh_address_is_unicast(neigh, address) || !neigh_address_in_prefix(neigh, address))
		return;
	if (neigh_allow(&neigh->learn_allowance, NEIGH_LEARN_PER_SECOND, now_ns))
		entry = neigh_table_add(neigh, address);
	if (entry == NULL) {
		neigh->counters.drop_full++;
		return;
	}
	entry->mac = *mac;
	entry_settle(neigh, entry, now_ns);
}

/**
 * Another MAC address claims the address of a REACHABLE entry: ask at the known one, at most once
 * per second. @return whether the question is to be sent now
 */
static bool
entry_verify(struct neigh *neigh, struct neigh_entry *entry, uint64_t now_ns)
{
	if (now_ns - entry->asked_ns < NEIGH_RETRY_NS ||
		!neigh_allow(&neigh->learn_allowance, NEIGH_LEARN_PER_SECOND, now_ns))
		return false;
	neigh_entry_question(neigh, entry, NEIGH_STATE_PROBE, now_ns);
	entry->everybody = true;
	return true;
}

bool
neigh_entry_press(struct neigh_entry *entry, uint64_t now_ns)
{
	BASE_ASSERT(entry->state == NEIGH_STATE_PROBE);
	entry->everybody = true;
	if (entry->asked_everybody || now_ns - entry->asked_ns < NEIGH_ANSWER_NS)
		return false;
	entry->asked_count++;
	return true;
}

static struct neigh_due
probed_hear(struct neigh *neigh, struct neigh_entry *entry, const struct neigh_heard *heard,
	uint64_t now_ns)
{
	bool same = rte_is_same_ether_addr(&entry->mac, &heard->mac);
	bool answer = heard->source == NEIGH_SOURCE_ANSWER;
	struct neigh_due due = {0};

	/*
	 * RFC 4861 7.2.5: without the override flag a known address stays. An answer from another
	 * MAC address counts only after a question to everybody: at the known one, no other host
	 * was asked.
	 */
	if (!same && !(answer && heard->overrides && entry->asked_everybody)) {
		if (neigh_entry_press(entry, now_ns))
			due.ask = entry;
		return due;
	}
	if (!same && entry->used)
		neigh->counters.changed++;
	entry->told &= same;
	entry->mac = heard->mac;
	entry_settle(neigh, entry, now_ns);
	if (answer && !entry->told)
		due.tell = entry;
	return due;
}

/**
 * An answer without the link-layer option is allowed after a unicast question: it confirms the MAC
 * address that was asked. @return whether the MAC address of the entry is new
 */
static bool
hear_without_mac(struct neigh *neigh, struct neigh_entry *entry, const struct neigh_heard *heard,
	uint64_t now_ns)
{
	if (entry == NULL || entry->state != NEIGH_STATE_PROBE ||
		heard->source != NEIGH_SOURCE_ANSWER ||
		!rte_is_same_ether_addr(&entry->mac, &heard->mac)) {
		neigh->counters.drop_unasked++;
		return false;
	}
	entry_settle(neigh, entry, now_ns);
	return !entry->told;
}

static void
stranger_hear(struct neigh *neigh, const struct neigh_heard *heard, uint64_t now_ns)
{
	if (heard->source == NEIGH_SOURCE_ASKER)
		asker_learn(neigh, &heard->address, &heard->mac, now_ns);
	else if (heard->source == NEIGH_SOURCE_ANSWER)
		neigh->counters.drop_unasked++;
}

static struct neigh_due
entry_hear(struct neigh *neigh, struct neigh_entry *entry, const struct neigh_heard *heard,
	uint64_t now_ns)
{
	bool answer = heard->source == NEIGH_SOURCE_ANSWER;
	struct neigh_due due = {0};

	switch (entry->state) {
	case NEIGH_STATE_STATIC:
		neigh->counters.drop_unasked += answer;
		break;
	case NEIGH_STATE_FAILED: /* a late answer */
	case NEIGH_STATE_INCOMPLETE:
		entry->mac = heard->mac;
		entry_settle(neigh, entry, now_ns);
		due.tell = entry;
		break;
	case NEIGH_STATE_PROBE:
		due = probed_hear(neigh, entry, heard, now_ns);
		break;
	case NEIGH_STATE_REACHABLE:
		neigh->counters.drop_unasked += answer;
		if (!rte_is_same_ether_addr(&entry->mac, &heard->mac)) {
			if (entry_verify(neigh, entry, now_ns))
				due.ask = entry;
		} else if (heard->source == NEIGH_SOURCE_ASKER) {
			entry->confirmed_ns = now_ns;
		}
		break;
	}
	return due;
}

struct neigh_due
neigh_table_hear(struct neigh *neigh, const struct neigh_heard *heard, uint64_t now_ns)
{
	struct neigh_entry *entry = neigh_table_find(neigh, &heard->address);
	struct neigh_due due = {0};

	if (!heard->has_mac) {
		if (hear_without_mac(neigh, entry, heard, now_ns))
			due.tell = entry;
	} else if (entry == NULL) {
		stranger_hear(neigh, heard, now_ns);
	} else {
		due = entry_hear(neigh, entry, heard, now_ns);
	}
	if (due.tell != NULL)
		entry->told = true;
	return due;
}

bool
neigh_query(const struct neigh *neigh, uint32_t index, struct neigh_info *info)
{
	static const char *const states[] = {
		[NEIGH_STATE_INCOMPLETE] = "INCOMPLETE",
		[NEIGH_STATE_REACHABLE] = "REACHABLE",
		[NEIGH_STATE_PROBE] = "PROBE",
		[NEIGH_STATE_FAILED] = "FAILED",
		[NEIGH_STATE_STATIC] = "STATIC",
	};

	if (index >= neigh->count)
		return false;
	*info = (struct neigh_info){
		.address = neigh->sorted[index]->address,
		.mac = neigh->sorted[index]->mac,
		.state = states[neigh->sorted[index]->state],
	};
	return true;
}
