/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "arguments.h"

#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>
#include <netinet/in.h>

#include "support/refusal.h"
#include "win/win.h"

uint8_t arguments_out[256];

static const struct arguments *now;
static SIZE_T length_place;
static OVERLAPPED overlapped_place;
static ND_RESULT result_place;
static ND_MW_DESCRIPTOR descriptor_place;
static void *const stranger_methods[16];
static struct {
	const void *methods;
} stranger = {stranger_methods};

static const struct arguments_value *
value_of(char letter)
{
	const struct arguments_value *value = now->values;

	while (value->letter != letter && value->letter != '\0')
		value++;
	return value;
}

static uintptr_t
valid_argument(char letter)
{
	switch (letter) {
	case 'p':
		return (uintptr_t)arguments_out;
	case 'l':
		length_place = sizeof(arguments_out);
		return (uintptr_t)&length_place;
	case 'v':
	case 'V':
		return (uintptr_t)&overlapped_place;
	case 'x':
		return (uintptr_t)&result_place;
	case 'd':
		return (uintptr_t)&descriptor_place;
	case 'z':
		return sizeof(struct sockaddr_in);
	case 'i':
		return (uintptr_t)&IID_IUnknown;
	case 'I':
		return (uintptr_t)&IID_IND2Adapter;
	case 'n':
		return 0;
	default:
		if (letter >= '1' && letter <= '9')
			return (uintptr_t)(letter - '0');
		cr_assert_eq(value_of(letter)->letter, letter, "no value for %c", letter);
		return value_of(letter)->valid;
	}
}

/** Type with which all methods are called. A method ignores additional arguments. */
typedef HRESULT (*slot_fn)(void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
	uintptr_t, uintptr_t, uintptr_t, uintptr_t);

static HRESULT
slot_call(const struct arguments_method *method, unsigned int position, uintptr_t value)
{
	void *object = now->objects[method->object];
	void *const *table = *(void *const *const *)object;
	slot_fn function = (slot_fn)(uintptr_t)table[method->slot];
	uintptr_t a[10] = {0};

	for (size_t i = 0; method->arguments[i] != '\0'; i++)
		a[i] = valid_argument(method->arguments[i]);
	a[position - 1] = value;
	return function(object, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
}

/** @return whether all bytes still have the value 0xa5 that check() has written */
static bool
is_untouched(const void *place, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		if (((const uint8_t *)place)[i] != 0xa5)
			return false;
	}
	return true;
}

static void
check(const struct arguments_method *method, unsigned int position, uintptr_t value,
	HRESULT expected)
{
	const unsigned int refusals = refusal_count();
	HRESULT status;
	char text[64];

	memset(arguments_out, 0xa5, sizeof(arguments_out));
	memset(&result_place, 0xa5, sizeof(result_place));
	status = slot_call(method, position, value);
	if (expected == 0)
		expected = ND_INVALID_PARAMETER_1 + (HRESULT)position - 1;
	snprintf(text, sizeof(text), "object %u, slot %u, argument %u", method->object,
		method->slot, position);
	cr_expect_eq(status, expected, "%s = %#lx gives %#x instead of %#x", text, value,
		(unsigned int)status, (unsigned int)expected);
	cr_expect(is_untouched(arguments_out, sizeof(arguments_out)) &&
			is_untouched(&result_place, sizeof(result_place)),
		"%s: outputs are written", text);
	refusal_check(text, status, refusals);
}

static void
argument_check(const struct arguments_method *method, unsigned int position, char letter)
{
	HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL), file = win_file_create();
	OVERLAPPED bad_event = {.hEvent = file};

	switch (letter) {
	case 'i':
	case 'I':
		check(method, position, 0, ND_INVALID_PARAMETER_1);
		check(method, position, (uintptr_t)&IID_INDProvider, E_NOINTERFACE);
		break;
	case 'h':
		check(method, position, 0, ND_INVALID_HANDLE);
		check(method, position, (uintptr_t)INVALID_HANDLE_VALUE, ND_INVALID_HANDLE);
		check(method, position, (uintptr_t)event, ND_INVALID_HANDLE);
		break;
	case 'v':
		check(method, position, (uintptr_t)&bad_event, ND_INVALID_HANDLE);
		/* fall through */
	case 'p':
	case 'l':
	case 'V':
	case 'x':
	case 's':
	case 'd':
	case 'a':
		check(method, position, 0, 0);
		break;
	case 'c':
	case 'r':
	case 'm':
	case 'w':
	case 'q':
	case 'k':
		check(method, position, 0, 0);
		check(method, position, (uintptr_t)now->objects[ARGUMENTS_ADAPTER], 0);
		check(method, position, (uintptr_t)&stranger, 0);
		if (value_of(letter)->foreign != 0)
			check(method, position, value_of(letter)->foreign, 0);
		break;
	default:
		break;
	}
	CloseHandle(event);
	CloseHandle(file);
}

void
arguments_check(const struct arguments *arguments, const struct arguments_method *methods,
	unsigned int count)
{
	now = arguments;
	for (const struct arguments_method *method = methods; method < methods + count; method++) {
		for (unsigned int n = 0; method->arguments[n] != '\0'; n++)
			argument_check(method, n + 1, method->arguments[n]);
		for (size_t n = 0; n < 7 && method->numbers[n].position != 0; n++)
			check(method, method->numbers[n].position, method->numbers[n].value,
				method->numbers[n].expected);
	}
}

/** Call QueryInterface, and release the returned reference. @return status of the call */
static HRESULT
query(IND2Overlapped *object, const GUID *iid)
{
	IND2Overlapped *const before = (IND2Overlapped *)&stranger;
	IND2Overlapped *got = before;
	HRESULT status = IND2Overlapped_QueryInterface(object, iid, (void **)&got);

	if (status != S_OK) {
		cr_assert_eq(got, status == E_POINTER ? before : NULL);
		return status;
	}
	cr_assert_eq(got, object);
	cr_assert_eq(IND2Overlapped_AddRef(got), 3);
	cr_assert_eq(IND2Overlapped_Release(got), 2);
	cr_assert_eq(IND2Overlapped_Release(got), 1);
	return status;
}

void
arguments_query_interface(void *const *objects, const struct arguments_interface *interfaces,
	unsigned int count, const GUID *overlapped, const GUID *foreign)
{
	for (unsigned int i = 0; i < count; i++) {
		IND2Overlapped *object = objects[i];

		cr_assert_eq(query(object, interfaces[i].iid), S_OK);
		cr_assert_eq(query(object, &IID_IUnknown), S_OK);
		cr_assert_eq(
			query(object, overlapped), interfaces[i].overlapped ? S_OK : E_NOINTERFACE);
		cr_assert_eq(query(object, foreign), E_NOINTERFACE);
		cr_assert_eq(query(object, NULL), E_POINTER);
		cr_assert_eq(
			IND2Overlapped_QueryInterface(object, interfaces[i].iid, NULL), E_POINTER);
	}
}
