/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_SPI_OBJECT_H
#define NDPDK_SPI_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ndpdk/ndspi.h>

/*
 * What all objects of the interfaces have: the pointer to their methods, references and holds.
 *
 * References are the application's: AddRef and Release. Holds are the library's own: one for all
 * references together, one for each child of the object, one for each pending operation. The last
 * Release retires an object, which ends what is pending; the last hold destroys it, and then gives
 * back the hold of its parent. So objects may be released in any order.
 */

struct spi_object;

/** One kind of objects. */
struct spi_class {
	const void *methods; /**< table of functions of its interface; says which class it is */
	const GUID *iid;     /**< of its interface */
	const GUID *base;    /**< of the overlapped interface, or IID_IUnknown */
	size_t size;         /**< of the structure that begins with a struct spi_object */
	/** The last reference is gone: end what is pending. NULL: nothing to do. */
	void (*retire)(struct spi_object *object);
	/** The last hold is gone; the memory is freed behind it. NULL: nothing to do. */
	void (*destroy)(struct spi_object *object);
};

struct spi_object {
	const void *methods; /**< first, where callers expect the table */
	const struct spi_class *class;
	struct spi_object *parent; /**< held; NULL: none */
	uint32_t references;       /**< atomic */
	uint32_t holds;            /**< atomic */
};

/**
 * Make an object with one reference; its members behind the struct spi_object are 0.
 *
 * @param parent held until the object is destroyed; may be NULL
 * @return NULL: no memory
 */
void *spi_object_create(const struct spi_class *class, struct spi_object *parent);

/** Give back an object that its maker could not finish: destroy() is called, retire() is not. */
void spi_object_discard(struct spi_object *object);

/** Keep an object beyond its last reference. Any thread. */
void spi_object_hold(struct spi_object *object);

/** Give back a hold. Any thread; also within a callback of an operation. */
void spi_object_unhold(struct spi_object *object);

/**
 * @return the object behind an argument, if it is of this class and was made on this parent; else
 *         NULL, also for NULL
 */
void *
spi_object_cast(IUnknown *unknown, const struct spi_class *class, const struct spi_object *parent);

/** Whether an object of this class can be made for this interface. */
bool spi_class_has(const struct spi_class *class, const GUID *iid);

/* IUnknown of all objects: slots 0 to 2. */
HRESULT spi_query_interface(struct spi_object *object, const GUID *iid, void **out);
ULONG spi_add_ref(struct spi_object *object);
ULONG spi_release(struct spi_object *object);

/* NOLINTBEGIN(bugprone-macro-parentheses): a type cannot be in parentheses. */
/**
 * The methods of IUnknown with the types of an interface, for its table of functions.
 * @param prefix of their names
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

/** Their rows in the table. */
#define SPI_UNKNOWN_ROWS(prefix)                                                                   \
	.QueryInterface = prefix##_query_interface, .AddRef = prefix##_add_ref,                    \
	.Release = prefix##_release

#endif
