/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_OBJECT_H
#define NDPDK_SPI_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/ndspi.h>

/*
 * Common part of all objects: the pointer to the methods, references, and holds.
 *
 * References belong to the application (AddRef, Release). Holds are references of the library: one
 * hold for all references of the application together, one for each child of the object, and one
 * for each pending operation. The last Release retires the object, which ends its pending
 * operations. Releasing the last hold destroys the object, and then releases its hold of the
 * parent. So objects may be released in any order.
 */

struct spi_object;

/** A class of objects. */
struct spi_class {
	const void *methods; /**< method table of the interface; also identifies the class */
	const GUID *iid;
	const GUID *base; /**< IID of the overlapped interface, or IID_IUnknown */
	size_t size;      /**< size of the structure, which begins with a struct spi_object */
	/** Called after the last Release: ends pending operations. NULL: nothing to do. */
	void (*retire)(struct spi_object *object);
	/**
	 * Implements CancelOverlappedRequests. NULL: operations are always complete when their call
	 * returns.
	 */
	nd_status (*cancel)(struct spi_object *object);
	/**
	 * Called after the last hold is released, before the memory is freed. NULL: nothing to do.
	 */
	void (*destroy)(struct spi_object *object);
};

struct spi_object {
	const void *methods; /**< first member, because callers expect the table here */
	const struct spi_class *class;
	/** parent, with a hold (reference of the library); NULL: none */
	struct spi_object *parent;
	/**
	 * File of overlapped operations; holds a reference. NULL: operations use the file of the
	 * parent.
	 */
	HANDLE file;
	uint32_t references; /**< atomic */
	uint32_t holds;      /**< atomic */
};

/**
 * Create an object with one reference. Its members after the struct spi_object are 0.
 *
 * @param parent is held until the object is destroyed; may be NULL
 * @param file the call takes over a reference, even if it fails; may be NULL
 * @return the object; NULL: out of memory
 */
void *spi_object_create(const struct spi_class *class, struct spi_object *parent, HANDLE file);

/** Free an object after its creation has failed: calls destroy(), but not retire(). */
void spi_object_discard(struct spi_object *object);

/**
 * Finish a Create method: store the object, or discard the object if the creation has failed.
 *
 * @param status status of the creation
 * @param[out] out a pointer to an interface; unchanged on failure
 * @return status
 */
nd_status spi_object_finish(struct spi_object *object, nd_status status, void *out);

/** Take a hold, so that the object exists after its last Release. Any thread may call. */
void spi_object_hold(struct spi_object *object);

/** Release a hold. Any thread may call, also within a callback of an operation. */
void spi_object_unhold(struct spi_object *object);

/**
 * @return the object, if unknown is an object of this class with this parent; otherwise NULL, also
 *         if unknown is NULL
 */
void *
spi_object_cast(IUnknown *unknown, const struct spi_class *class, const struct spi_object *parent);

bool spi_class_has(const struct spi_class *class, const GUID *iid);

/** CancelOverlappedRequests of all objects. */
nd_status spi_cancel(struct spi_object *object);

/* IUnknown of all objects: the methods in slots 0 to 2. */
HRESULT spi_query_interface(struct spi_object *object, const GUID *iid, void **out);
ULONG spi_add_ref(struct spi_object *object);
ULONG spi_release(struct spi_object *object);

/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot be in parentheses. */
/**
 * Define the methods of IUnknown with the types of an interface, for its method table.
 * @param prefix prefix of the function names
 */
#define SPI_UNKNOWN_METHODS(prefix, type)                                                          \
	static HRESULT prefix##_query_interface(type *self, REFIID iid, void **object)             \
	{                                                                                          \
		return spi_query_interface((struct spi_object *)self, iid, object);                \
	}                                                                                          \
	static ULONG prefix##_add_ref(type *self)                                                  \
	{                                                                                          \
		return spi_add_ref((struct spi_object *)self);                                     \
	}                                                                                          \
	static ULONG prefix##_release(type *self)                                                  \
	{                                                                                          \
		return spi_release((struct spi_object *)self);                                     \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

/** Method table entries for the methods of SPI_UNKNOWN_METHODS(). */
#define SPI_UNKNOWN_ROWS(prefix)                                                                   \
	.QueryInterface = prefix##_query_interface, .AddRef = prefix##_add_ref,                    \
	.Release = prefix##_release

#endif
