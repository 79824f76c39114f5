/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "spi/object.h"

#include <stdlib.h>
#include <string.h>

#include "win/win.h"

static void
file_unref(HANDLE file)
{
	if (file != NULL)
		win_file_unref(file);
}

void *
spi_object_create(const struct spi_class *class, struct spi_object *parent, HANDLE file)
{
	struct spi_object *object = calloc(1, class->size);

	if (object == NULL) {
		file_unref(file);
		return NULL;
	}
	object->methods = class->methods;
	object->class = class;
	object->references = 1;
	object->holds = 1;
	object->file = file;
	object->parent = parent;
	if (parent != NULL)
		spi_object_hold(parent);
	return object;
}

void
spi_object_discard(struct spi_object *object)
{
	__atomic_store_n(&object->references, 0, __ATOMIC_RELAXED);
	spi_object_unhold(object);
}

nd_status
spi_object_finish(struct spi_object *object, nd_status status, void *out)
{
	if (nd_failed(status))
		spi_object_discard(object);
	else
		memcpy(out, &object, sizeof(object));
	return status;
}

void
spi_object_hold(struct spi_object *object)
{
	__atomic_add_fetch(&object->holds, 1, __ATOMIC_RELAXED);
}

void
spi_object_unhold(struct spi_object *object)
{
	/*
	 * Destroying an object releases its hold on the parent. After the last hold is released,
	 * destroy the parent.
	 */
	while (object != NULL && __atomic_sub_fetch(&object->holds, 1, __ATOMIC_ACQ_REL) == 0) {
		struct spi_object *parent = object->parent;

		if (object->class->destroy != NULL)
			object->class->destroy(object);
		file_unref(object->file);
		free(object);
		object = parent;
	}
}

static bool
guid_equal(const GUID *one, const GUID *other)
{
	return memcmp(one, other, sizeof(*one)) == 0;
}

bool
spi_class_has(const struct spi_class *class, const GUID *iid)
{
	return guid_equal(iid, class->iid) || guid_equal(iid, class->base) ||
		guid_equal(iid, &IID_IUnknown);
}

void *
spi_object_cast(IUnknown *unknown, const struct spi_class *class, const struct spi_object *parent)
{
	struct spi_object *object = (struct spi_object *)unknown;

	/*
	 * Compare `methods` first, because an object of another library may be smaller and lack the
	 * other members.
	 */
	if (object == NULL || object->methods != class->methods || object->parent != parent)
		return NULL;
	return object;
}

HRESULT
spi_query_interface(struct spi_object *object, const GUID *iid, void **out)
{
	if (iid == NULL || out == NULL)
		return E_POINTER;
	if (!spi_class_has(object->class, iid)) {
		*out = NULL;
		return E_NOINTERFACE;
	}
	spi_add_ref(object);
	*out = object;
	return S_OK;
}

ULONG
spi_add_ref(struct spi_object *object)
{
	return __atomic_add_fetch(&object->references, 1, __ATOMIC_RELAXED);
}

ULONG
spi_release(struct spi_object *object)
{
	ULONG left = __atomic_sub_fetch(&object->references, 1, __ATOMIC_ACQ_REL);

	if (left == 0) {
		if (object->class->retire != NULL)
			object->class->retire(object);
		spi_object_unhold(object);
	}
	return left;
}

nd_status
spi_cancel(struct spi_object *object)
{
	return object->class->cancel != NULL ? object->class->cancel(object) : ND_SUCCESS;
}
