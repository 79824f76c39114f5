/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_OBJECT_H
#define NDPDK_NDK_OBJECT_H

#include <pthread.h>
#include <stdbool.h>

#include <ndpdk/ndkpi.h>

/*
 * Lifetime of objects. References to an object are held by its creator until the close, by each
 * object that uses it (its successors), by each pending operation and by each running callback.
 * When the last reference is released, the native object is released, the close is reported, and
 * the antecedents (the objects that it uses) lose a reference.
 */

struct ndk_object;

/**
 * Maximum number of objects that one object uses: a queue pair's domain, two queues and shared
 * receive queue.
 */
#define OBJECT_ANTECEDENTS 5u

/** Properties of a type of objects. */
struct ndk_kind {
	NDK_OBJECT_TYPE type;
	size_t size;
	const void *dispatch;
	/** Called at the close: begins to end pending work. NULL: none. */
	void (*shut)(struct ndk_object *object);
	/**
	 * Ends at once, before a callback of the caller, the work that shut() lets continue. NULL:
	 * none.
	 */
	void (*force)(struct ndk_object *object);
	/** Releases the native object. No references are left. */
	void (*destroy)(struct ndk_object *object);
};

/** All objects of an adapter. */
struct ndk_tree {
	pthread_mutex_t lock; /* protects all members, and members of objects that refer to it */
	pthread_cond_t gone;  /* signalled when live has decreased */
	struct ndk_object *first;
	/* number of objects not yet freed; an object is freed after its last callback */
	unsigned int live;
	bool ending; /* the adapter is being closed: no objects can be created */
	NDK_VERSION version;
};

/** First member of each object, as in the public structures. */
struct ndk_object {
	NDK_OBJECT_HEADER header;
	const void *dispatch; /* the caller may change it, so it is not read here */
	const struct ndk_kind *kind;
	struct ndk_tree *tree;
	struct ndk_object *next;     /* next object of the tree; protected by its lock */
	struct ndk_object *previous; /* previous object of the tree; protected by its lock */
	/* objects that this object uses; protected by the lock; NULL: none */
	struct ndk_object *antecedents[OBJECT_ANTECEDENTS];
	unsigned int references; /* protected by the lock */
	bool closing;            /* changed under the lock; also read without it */
	bool forced;             /* protected by the lock */
	NDK_FN_CLOSE_COMPLETION closed;
	PVOID closed_context;
};

void tree_init(struct ndk_tree *tree, NDK_VERSION version);
void tree_fini(struct ndk_tree *tree);

/**
 * End all objects, and wait until they are freed.
 * @return false: called in a callback, no effect
 */
bool tree_end(struct ndk_tree *tree);

/**
 * @return new object with one reference, all other members 0; NULL: out of memory, or the tree is
 *         ending
 */
void *object_create(struct ndk_tree *tree, const struct ndk_kind *kind);

/** Undo object_create() for an object that is not yet published: calls destroy(). */
void object_discard(struct ndk_object *object);

/** @return whether this is an open object of this type */
static inline bool
object_is(const void *object, NDK_OBJECT_TYPE type)
{
	const struct ndk_object *known = object;

	return known != NULL && known->header.ObjectType == type &&
		!__atomic_load_n(&known->closing, __ATOMIC_RELAXED);
}

/** @return whether this is an open object of this type and of this tree */
static inline bool
object_of(const struct ndk_tree *tree, const void *object, NDK_OBJECT_TYPE type)
{
	return object_is(object, type) && ((const struct ndk_object *)object)->tree == tree;
}

/** The successor uses the antecedent from now on: takes a reference. NULL has no effect. */
void object_lean(struct ndk_object *successor, struct ndk_object *antecedent);

/** Undo one object_lean(). NULL has no effect. */
void object_unlean(struct ndk_object *successor, struct ndk_object *antecedent);

/**
 * Replace an antecedent of the successor.
 *
 * @param[in,out] used previous antecedent, NULL: none; a member of the successor that only this
 *         function changes
 */
void object_lean_instead(
	struct ndk_object *successor, struct ndk_object **used, struct ndk_object *antecedent);

/**
 * Take and release a reference around a native call, because its callbacks may close the object.
 */
void object_hold(struct ndk_object *object);
void object_drop(struct ndk_object *object);

/** Mark the begin and end of a callback on this thread. @return value for telling_end() */
const void *telling_begin(const struct ndk_tree *tree);
void telling_end(const void *outer);

/** Close an object, as documented for NDK_FN_CLOSE_OBJECT. */
NTSTATUS object_close(NDK_OBJECT_HEADER *header, NDK_OBJECT_TYPE type,
	NDK_FN_CLOSE_COMPLETION closed, PVOID context);

/** Query an extension, as documented for NDK_FN_QUERY_EXTENSION_INTERFACE. */
NTSTATUS object_query(
	const NDK_OBJECT_HEADER *header, NDK_OBJECT_TYPE type, const void *id, const void *out);

/** Define the first two functions of each dispatch table. */
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
