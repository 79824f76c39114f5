/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_OBJECT_H
#define NDPDK_NDK_OBJECT_H

#include <pthread.h>
#include <stdbool.h>

#include <ndpdk/ndkpi.h>

/*
 * Life of objects. An object is referenced by who made it, until its close; by each object that
 * uses it, its successors; by each operation that is pending on it, and by each callback that is
 * running. It ends with the last of these references: what is native is released, the close is
 * told, and its antecedents lose a reference.
 */

struct ndk_object;

/** Most objects that one uses: a queue pair's domain, two queues and shared receive queue. */
#define OBJECT_ANTECEDENTS 5u

/** What all objects of a type have in common. */
struct ndk_kind {
	NDK_OBJECT_TYPE type;
	size_t size;
	const void *dispatch;
	/** Begins to end what is under way, when the object is closed; NULL: nothing to do. */
	void (*shut)(struct ndk_object *object);
	/** Ends at once what shut() lets go on, before a callback of the caller; NULL: nothing. */
	void (*force)(struct ndk_object *object);
	/** Releases what is native. Nobody refers to the object any more. */
	void (*destroy)(struct ndk_object *object);
};

/** The objects of an adapter. */
struct ndk_tree {
	pthread_mutex_t lock; /* of all members, and of those of objects that say so */
	pthread_cond_t gone;  /* live has become less */
	struct ndk_object *first;
	unsigned int live; /* objects that are not freed, their last callback included */
	bool ending;       /* the adapter is being closed: nothing is made any more */
	NDK_VERSION version;
};

/** First member of each object, as the public structures begin. */
struct ndk_object {
	NDK_OBJECT_HEADER header;
	const void *dispatch; /* the caller's to change: not read here */
	const struct ndk_kind *kind;
	struct ndk_tree *tree;
	struct ndk_object *next;                            /* of the tree, under its lock */
	struct ndk_object *previous;                        /* likewise */
	struct ndk_object *antecedents[OBJECT_ANTECEDENTS]; /* under the lock; NULL: none */
	unsigned int references;                            /* under the lock */
	bool closing;                                       /* under the lock; read without */
	bool forced;                                        /* under the lock */
	NDK_FN_CLOSE_COMPLETION closed;
	PVOID closed_context;
};

void tree_init(struct ndk_tree *tree, NDK_VERSION version);
void tree_fini(struct ndk_tree *tree);

/** End all objects, and wait until they are gone. @return false: in a callback; nothing is done */
bool tree_end(struct ndk_tree *tree);

/** @return a new object with one reference, all else 0; NULL: no memory, or the tree is ending */
void *object_create(struct ndk_tree *tree, const struct ndk_kind *kind);

/** Undo object_create() of an object that nobody has seen: destroy() is called. */
void object_discard(struct ndk_object *object);

/** @return whether it is an open object of this type */
static inline bool
object_is(const void *object, NDK_OBJECT_TYPE type)
{
	const struct ndk_object *known = object;

	return known != NULL && known->header.ObjectType == type &&
		!__atomic_load_n(&known->closing, __ATOMIC_RELAXED);
}

/** The same, and of this tree. */
static inline bool
object_of(const struct ndk_tree *tree, const void *object, NDK_OBJECT_TYPE type)
{
	return object_is(object, type) && ((const struct ndk_object *)object)->tree == tree;
}

/** The successor uses the antecedent from now on; NULL does nothing. */
void object_lean(struct ndk_object *successor, struct ndk_object *antecedent);

/** The opposite, for one use; NULL does nothing. */
void object_unlean(struct ndk_object *successor, struct ndk_object *antecedent);

/**
 * The successor uses another antecedent than before.
 *
 * @param[in,out] used the antecedent so far, NULL: none; a member of the successor that only this
 *        function changes
 */
void object_lean_instead(
	struct ndk_object *successor, struct ndk_object **used, struct ndk_object *antecedent);

/** Around a native call after which an object is used: its callbacks may close the object. */
void object_hold(struct ndk_object *object);
void object_drop(struct ndk_object *object);

/** A callback of the caller begins on this thread, or ends. @return what to give to the end. */
const void *telling_begin(const struct ndk_tree *tree);
void telling_end(const void *outer);

/** Close as NDK_FN_CLOSE_OBJECT says. */
NTSTATUS object_close(NDK_OBJECT_HEADER *header, NDK_OBJECT_TYPE type,
	NDK_FN_CLOSE_COMPLETION closed, PVOID context);

/** Query an extension interface as NDK_FN_QUERY_EXTENSION_INTERFACE says. */
NTSTATUS object_query(
	const NDK_OBJECT_HEADER *header, NDK_OBJECT_TYPE type, const void *id, const void *out);

/** The first two functions of each table. */
#define OBJECT_ENTRIES(type_)                                                                      \
	static NTSTATUS entry_close(                                                               \
		NDK_OBJECT_HEADER *header, NDK_FN_CLOSE_COMPLETION closed, PVOID context)          \
	{                                                                                          \
		return object_close(header, (type_), closed, context);                             \
	}                                                                                          \
	static NTSTATUS entry_query(NDK_OBJECT_HEADER *header, GUID *id, NDK_VERSION version,      \
		NDK_EXTENSION_INTERFACE *out)                                                      \
	{                                                                                          \
		(void)version;                                                                     \
		return object_query(header, (type_), id, out);                                     \
	}

#endif
