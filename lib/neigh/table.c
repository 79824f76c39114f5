/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "neigh/parts.h"

#include <string.h>

#include "base/assert.h"

/*
 * Table of neighbours. Entries are found by binary search in an array of pointers, so unknown hosts
 * cannot make a search longer (SEC-048), and no secret key is needed. The table never grows
 * (SEC-041).
 *
 * Timers: every timer runs for NEIGH_RETRY_NS, so a list with new timers at its end is sorted, and
 * its first entry has the next deadline. Only neigh_entry_question() and neigh_table_expire() start
 * timers. Each transition out of INCOMPLETE, PROBE or FAILED stops the timer.
 *
 * Trust (SEC-041): an entry is created when the adapter sends a request, or when a host requests
 * the adapter's address. Requests of hosts add entries at a limited rate, and replace no entry in
 * use. A known MAC address changes only by a reply to a request that went to all hosts. If a
 * different MAC address claims the IP address, a request is first sent to the known MAC address,
 * because connections use the address in the table. If the known host still has the address, its
 * reply refutes the claim. If the known MAC address does not reply, a request goes to all hosts.
 * The old MAC address is used until a host replies.
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

/** @return index in sorted[] of the first entry with an address >= `address`, 0..count */
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
		/* The entry is removed, so the next lookup sends a request to all hosts. */
		entry_remove(neigh, entry);
	}
	return NULL;
}

/**
 * Add an entry for a host that requests the adapter's address, because the host will most likely
 * send traffic soon.
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
 * A different MAC address claims the IP address of a REACHABLE entry: send a request to the known
 * MAC address, at most once per second.
 * @return true if the caller must send a request now
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
	 * RFC 4861 7.2.5: without the override flag, a known address stays. A reply with a
	 * different MAC address counts only after a request to all hosts, because a request to the
	 * known MAC address reaches no other host.
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
 * Process a reply without the link-layer address option. Such a reply is allowed after a unicast
 * request, and confirms the MAC address to which the request was sent.
 * @return true if the MAC address of the entry is new
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
	case NEIGH_STATE_FAILED: /* a late reply */
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
