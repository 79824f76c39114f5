/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "ndk/object.h"

#include <assert.h>
#include <stdlib.h>

#include "ndk/refuse.h"

#define SAME_START(public_)                                                                        \
	static_assert(offsetof(struct ndk_object, dispatch) == offsetof(public_, Dispatch),        \
		"dispatch has the same offset in both structures")

SAME_START(NDK_PD);
SAME_START(NDK_CQ);
SAME_START(NDK_QP);
SAME_START(NDK_SRQ);
SAME_START(NDK_MR);
SAME_START(NDK_MW);
SAME_START(NDK_CONNECTOR);
SAME_START(NDK_LISTENER);
SAME_START(NDK_SHARED_ENDPOINT);

/* The tree (adapter) whose callback this thread is executing; NULL: none. */
static _Thread_local const void *telling;

const void *
telling_begin(const struct ndk_tree *tree)
{
	const void *outer = telling;

	telling = tree;
	return outer;
}

void
telling_end(const void *outer)
{
	telling = outer;
}

void
tree_init(struct ndk_tree *tree, NDK_VERSION version)
{
	*tree = (struct ndk_tree){.version = version};
	pthread_mutex_init(&tree->lock, NULL);
	pthread_cond_init(&tree->gone, NULL);
}

void
tree_fini(struct ndk_tree *tree)
{
	pthread_cond_destroy(&tree->gone);
	pthread_mutex_destroy(&tree->lock);
}

void *
object_create(struct ndk_tree *tree, const struct ndk_kind *kind)
{
	struct ndk_object *object = calloc(1, kind->size);

	if (object == NULL)
		return NULL;
	object->header.Version = tree->version;
	object->header.ObjectType = kind->type;
	object->dispatch = kind->dispatch;
	object->kind = kind;
	object->tree = tree;
	object->references = 1;
	pthread_mutex_lock(&tree->lock);
	if (tree->ending) {
		pthread_mutex_unlock(&tree->lock);
		free(object);
		return NULL;
	}
	object->next = tree->first;
	if (object->next != NULL)
		object->next->previous = object;
	tree->first = object;
	tree->live++;
	pthread_mutex_unlock(&tree->lock);
	return object;
}

/**
 * Record that `successor` uses `antecedent`: replace `last`, or take a free slot if last is NULL.
 * Requires the lock.
 */
static void
antecedent_set(
	struct ndk_object *successor, const struct ndk_object *last, struct ndk_object *antecedent)
{
	unsigned int i = 0;

	while (i < OBJECT_ANTECEDENTS && successor->antecedents[i] != last)
		i++;
	assert(i < OBJECT_ANTECEDENTS);
	successor->antecedents[i] = antecedent;
	antecedent->references++;
}

void
object_lean(struct ndk_object *successor, struct ndk_object *antecedent)
{
	if (antecedent == NULL)
		return;
	pthread_mutex_lock(&successor->tree->lock);
	antecedent_set(successor, NULL, antecedent);
	pthread_mutex_unlock(&successor->tree->lock);
}

static void
unlink_object(struct ndk_object *object)
{
	struct ndk_tree *tree = object->tree;

	if (object->next != NULL)
		object->next->previous = object->previous;
	if (object->previous != NULL)
		object->previous->next = object->next;
	else
		tree->first = object->next;
}

/** Destroy an object that has no references. If tell is true, report the close. */
static void
object_end(struct ndk_object *object, bool tell)
{
	struct ndk_tree *tree = object->tree;

	if (object->kind->destroy != NULL)
		object->kind->destroy(object);
	if (tell && object->closed != NULL) {
		const void *outer = telling_begin(tree);

		object->closed(object->closed_context);
		telling_end(outer);
	}
	for (unsigned int i = 0; i < OBJECT_ANTECEDENTS; i++) {
		if (object->antecedents[i] != NULL)
			object_drop(object->antecedents[i]);
	}
	pthread_mutex_lock(&tree->lock);
	unlink_object(object);
	free(object);
	tree->live--;
	pthread_cond_broadcast(&tree->gone);
	pthread_mutex_unlock(&tree->lock);
}

void
object_hold(struct ndk_object *object)
{
	pthread_mutex_lock(&object->tree->lock);
	object->references++;
	pthread_mutex_unlock(&object->tree->lock);
}

void
object_drop(struct ndk_object *object)
{
	bool last;

	pthread_mutex_lock(&object->tree->lock);
	last = --object->references == 0;
	pthread_mutex_unlock(&object->tree->lock);
	if (last)
		object_end(object, true);
}

void
object_unlean(struct ndk_object *successor, struct ndk_object *antecedent)
{
	bool found = false;

	if (antecedent == NULL)
		return;
	pthread_mutex_lock(&successor->tree->lock);
	for (unsigned int i = 0; i < OBJECT_ANTECEDENTS && !found; i++) {
		found = successor->antecedents[i] == antecedent;
		if (found)
			successor->antecedents[i] = NULL;
	}
	pthread_mutex_unlock(&successor->tree->lock);
	if (found)
		object_drop(antecedent);
}

void
object_lean_instead(
	struct ndk_object *successor, struct ndk_object **used, struct ndk_object *antecedent)
{
	struct ndk_object *last;

	pthread_mutex_lock(&successor->tree->lock);
	last = *used;
	if (last != antecedent) {
		antecedent_set(successor, last, antecedent);
		*used = antecedent;
	}
	pthread_mutex_unlock(&successor->tree->lock);
	if (last != NULL && last != antecedent)
		object_drop(last);
}

void
object_discard(struct ndk_object *object)
{
	object_end(object, false);
}

/** Close an object: release the reference of its creator. @return true if the object was freed */
static bool
close_now(struct ndk_object *object)
{
	bool last;

	if (object->kind->shut != NULL)
		object->kind->shut(object);
	pthread_mutex_lock(&object->tree->lock);
	last = --object->references == 0;
	pthread_mutex_unlock(&object->tree->lock);
	if (last)
		object_end(object, false);
	return last;
}

/** @return true if this is the first call that closes the object */
static bool
begin_close(struct ndk_object *object, NDK_FN_CLOSE_COMPLETION closed, PVOID context)
{
	bool first;

	pthread_mutex_lock(&object->tree->lock);
	first = !object->closing;
	if (first) {
		__atomic_store_n(&object->closing, true, __ATOMIC_RELAXED);
		object->closed = closed;
		object->closed_context = context;
	}
	pthread_mutex_unlock(&object->tree->lock);
	return first;
}

NTSTATUS
object_close(NDK_OBJECT_HEADER *header, NDK_OBJECT_TYPE type, const char *function,
	NDK_FN_CLOSE_COMPLETION closed, PVOID context)
{
	struct ndk_object *object = (struct ndk_object *)header;

	if (!object_is(object, type) || !begin_close(object, closed, context))
		return NDK_REFUSE(function, "pNdkObject is NULL, of another type, or closed");
	return close_now(object) ? STATUS_SUCCESS : STATUS_PENDING;
}

NTSTATUS
object_query(const NDK_OBJECT_HEADER *header, NDK_OBJECT_TYPE type, const void *id, const void *out)
{
	const NTSTATUS status = ARGUMENTS_CHECK("NdkQueryExtension",
		{"pNdkObject", object_is(header, type), "an open object of this type"},
		{"ExtensionInterfaceID", id != NULL, NULL},
		{"pExtensionInterface", out != NULL, NULL});

	return status == STATUS_SUCCESS ? STATUS_NOT_SUPPORTED : status;
}

/** @return an object that still exists and must be closed, with a reference; NULL: none is left */
static struct ndk_object *
next_to_force(struct ndk_tree *tree)
{
	struct ndk_object *object = tree->first;

	while (object != NULL && (object->forced || object->references == 0))
		object = object->next;
	if (object != NULL) {
		object->forced = true;
		object->references++;
	}
	return object;
}

bool
tree_end(struct ndk_tree *tree)
{
	struct ndk_object *object;

	if (telling == tree)
		return false;
	pthread_mutex_lock(&tree->lock);
	tree->ending = true;
	while ((object = next_to_force(tree)) != NULL) {
		pthread_mutex_unlock(&tree->lock);
		if (begin_close(object, NULL, NULL))
			close_now(object);
		if (object->kind->force != NULL)
			object->kind->force(object);
		object_drop(object);
		pthread_mutex_lock(&tree->lock);
	}
	while (tree->live != 0)
		pthread_cond_wait(&tree->gone, &tree->lock);
	pthread_mutex_unlock(&tree->lock);
	return true;
}
