/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_NDK_OBJECT_H
#define NDPDK_NDK_OBJECT_H

#include <pthread.h>
#include <stdbool.h>

#include <ndpdk/ndkpi.h>

/*
 * Lifetime of objects. References to an object are held by its creator until the close, by each
 * object that uses it (its successors), by each pending operation, and by each running callback.
 * When the last reference is released, the native object is released and the close is reported.
 * Then each antecedent (an object that this object uses) loses one reference.
 */

struct ndk_object;

/**
 * Maximum number of objects that one object uses. A queue pair uses a protection domain, two
 * completion queues and a shared receive queue.
 */
#define OBJECT_ANTECEDENTS 5u

/** Properties that all objects of one type share. */
struct ndk_kind {
	NDK_OBJECT_TYPE type;
	size_t size;
	const void *dispatch;
	/**
	 * Called at the close: begins to end the pending work of the object. NULL: nothing to do.
	 */
	void (*shut)(struct ndk_object *object);
	/**
	 * Called when the adapter is closed: ends at once the work that shut() lets continue. NULL:
	 * nothing to do.
	 */
	void (*force)(struct ndk_object *object);
	/** Called when no references are left: releases the native object. */
	void (*destroy)(struct ndk_object *object);
};

/** All objects of an adapter, with one lock. */
struct ndk_tree {
	pthread_mutex_t lock; /* protects all members, and object members whose comments say so */
	pthread_cond_t gone;  /* signalled when the member live has decreased */
	struct ndk_object *first;
	/* Number of objects that are not yet freed. An object is freed after its last callback. */
	unsigned int live;
	bool ending; /* the adapter is being closed: no objects can be created */
	NDK_VERSION version;
};

/** Common part of all objects. It begins with the members of the public structures. */
struct ndk_object {
	NDK_OBJECT_HEADER header;
	/* function table for the caller, who may change it; the library does not read it */
	const void *dispatch;
	const struct ndk_kind *kind;
	struct ndk_tree *tree;
	struct ndk_object *next;     /* next object of the tree; protected by its lock */
	struct ndk_object *previous; /* previous object of the tree; protected by its lock */
	/* objects that this object uses; protected by the lock; NULL: none */
	struct ndk_object *antecedents[OBJECT_ANTECEDENTS];
	unsigned int references; /* protected by the lock */
	/* true after the close; changed under the lock, read without the lock */
	bool closing;
	bool forced; /* protected by the lock */
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

/**
 * Take a reference to the antecedent, so that it is not freed before the successor that uses it.
 * NULL has no effect.
 */
void object_lean(struct ndk_object *successor, struct ndk_object *antecedent);

/** Undo one object_lean(). NULL has no effect. */
void object_unlean(struct ndk_object *successor, struct ndk_object *antecedent);

/**
 * Replace one antecedent of the successor by a different object.
 *
 * @param[in,out] used member of the successor that points to the antecedent; NULL: none so far.
 *         Only this function changes it
 */
void object_lean_instead(
	struct ndk_object *successor, struct ndk_object **used, struct ndk_object *antecedent);

/**
 * Take a reference before a native call, and release it after the call, because callbacks of the
 * call may close the object.
 */
void object_hold(struct ndk_object *object);
void object_drop(struct ndk_object *object);

/** Mark the begin and the end of a callback on this thread. @return value for telling_end() */
const void *telling_begin(const struct ndk_tree *tree);
void telling_end(const void *outer);

/**
 * Close an object, as documented for NDK_FN_CLOSE_OBJECT. @param function name of the function in
 * the table
 */
NTSTATUS object_close(NDK_OBJECT_HEADER *header, NDK_OBJECT_TYPE type, const char *function,
	NDK_FN_CLOSE_COMPLETION closed, PVOID context);

/** Query an extension, as documented for NDK_FN_QUERY_EXTENSION_INTERFACE. */
NTSTATUS object_query(
	const NDK_OBJECT_HEADER *header, NDK_OBJECT_TYPE type, const void *id, const void *out);

/** Define the first two functions of each dispatch table. @param name_ such as Cq */
#define OBJECT_ENTRIES(name_)                                                                      \
	static NTSTATUS entry_close(                                                               \
		NDK_OBJECT_HEADER *header, NDK_FN_CLOSE_COMPLETION closed, PVOID context)          \
	{                                                                                          \
		return object_close(                                                               \
			header, NdkObjectType##name_, "NdkClose" #name_, closed, context);         \
	}                                                                                          \
	static NTSTATUS entry_query(NDK_OBJECT_HEADER *header, GUID *id, NDK_VERSION version,      \
		NDK_EXTENSION_INTERFACE *out)                                                      \
	{                                                                                          \
		(void)version;                                                                     \
		return object_query(header, NdkObjectType##name_, id, out);                        \
	}

#endif
