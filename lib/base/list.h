/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_BASE_LIST_H
#define NDPDK_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Intrusive doubly linked list. The head is a node. A node that is in no list points to itself, so
 * a second removal has no effect.
 */
struct base_list {
	struct base_list *next;
	struct base_list *prev;
};

static inline void
base_list_init(struct base_list *node)
{
	node->next = node;
	node->prev = node;
}

static inline bool
base_list_empty(const struct base_list *head)
{
	return head->next == head;
}

static inline void
base_list_append(struct base_list *head, struct base_list *node)
{
	node->prev = head->prev;
	node->next = head;
	head->prev->next = node;
	head->prev = node;
}

static inline void
base_list_remove(struct base_list *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	base_list_init(node);
}

/** Move all entries of a list to the end of another list. */
static inline void
base_list_move(struct base_list *from, struct base_list *to)
{
	if (base_list_empty(from))
		return;
	to->prev->next = from->next;
	from->next->prev = to->prev;
	from->prev->next = to;
	to->prev = from->prev;
	base_list_init(from);
}

/** @return first entry; NULL if the list is empty */
static inline struct base_list *
base_list_first(const struct base_list *head)
{
	/* The static analyzer does not know that a removed entry is in no list. */
	return base_list_empty(head) ? NULL : head->next; /* NOLINT(clang-analyzer-unix.Malloc) */
}

#define base_list_entry(node, type, member) ((type *)((char *)(node)-offsetof(type, member)))

#define BASE_LIST_FOREACH(node, head)                                                              \
	for ((node) = (head)->next; (node) != (head); (node) = (node)->next)

/** The current entry may be removed in the body of the loop. */
#define BASE_LIST_FOREACH_SAFE(node, after, head)                                                  \
	for ((node) = (head)->next, (after) = (node)->next; (node) != (head);                      \
		(node) = (after), (after) = (node)->next)

#endif
