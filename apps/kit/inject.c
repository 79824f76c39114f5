/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "kit/inject.h"

#include <stdlib.h>
#include <string.h>

#include "kit/option.h"
#include "kit/value.h"

#define ITEMS "drop, dup, reorder, corrupt, delay and seed"

/*
 * Bits that record which items the text contains. The bits below GIVEN_DELAY are the fault kinds.
 */
enum {
	GIVEN_DELAY = 1 << INJECT_KINDS,
	GIVEN_SEED = 2 << INJECT_KINDS,
};

static const char *const kind_names[INJECT_KINDS] = {
	[INJECT_DROP] = "drop",
	[INJECT_DUP] = "dup",
	[INJECT_REORDER] = "reorder",
	[INJECT_CORRUPT] = "corrupt",
};

const char *
inject_kind_name(enum inject_kind kind)
{
	return kind < INJECT_KINDS ? kind_names[kind] : "?";
}

/* Parse a decimal number. Unlike strtod(), accept no sign, exponent or hexadecimal number. */
static bool
take_decimal(const char *text, double *number, const char **rest)
{
	char *end;

	if ((*text < '0' || *text > '9') && *text != '.')
		return false;
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return false;
	*number = strtod(text, &end);
	*rest = end;
	return end != text;
}

static bool
take_rate(const char *name, const char *value, double *rate, char *why, size_t size)
{
	const char *rest;

	if (!take_decimal(value, rate, &rest) || (strcmp(rest, "") != 0 && strcmp(rest, "%") != 0))
		return option_fail(why, size,
			"--inject: the rate of %s is '%s': expected a fraction of the frames such "
			"as 0.1%% or 1e-3",
			name, value);
	if (*rest == '%')
		*rate /= 100;
	if (*rate > 1)
		return option_fail(why, size, "--inject: %s:%s is more than 100%%%s", name, value,
			*rest == '%' ? "" : ", because a rate without % is a fraction");
	return true;
}

static bool
take_delay(const char *value, uint64_t *ns, char *why, size_t size)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
	const char *rest;
	double number;

	if (take_decimal(value, &number, &rest))
		for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
			if (strcmp(rest, units[i].name) != 0 ||
				number * units[i].ns > (double)INJECT_DELAY_NS_MAX)
				continue;
			*ns = (uint64_t)(number * units[i].ns);
			return true;
		}
	return option_fail(why, size,
		"--inject: the delay is '%s': expected a time up to 1s with its unit, such as "
		"50us",
		value);
}

/* Store one item of the option. @return GIVEN bit of the item; 0 if the item is not valid */
static unsigned int
take_item(const char *name, const char *value, struct inject_plan *plan, char *why, size_t size)
{
	if (strcmp(name, "delay") == 0)
		return take_delay(value, &plan->delay_ns, why, size) ? GIVEN_DELAY : 0;
	if (strcmp(name, "seed") == 0) {
		if (value_number(value, UINT64_MAX, &plan->seed))
			return GIVEN_SEED;
		option_fail(
			why, size, "--inject: the seed is '%s': expected a whole number", value);
		return 0;
	}
	for (unsigned int kind = 0; kind < INJECT_KINDS; kind++)
		if (strcmp(name, kind_names[kind]) == 0)
			return take_rate(name, value, &plan->rates[kind], why, size) ? 1u << kind
										     : 0;
	option_fail(why, size, "--inject: unknown item '%s': expected " ITEMS, name);
	return 0;
}

bool
inject_parse(const char *text, struct inject_plan *plan, char *why, size_t size)
{
	struct inject_plan read = {.seed = 1};
	const char *rest = text;
	unsigned int given = 0;
	double sum = 0;

	while (rest != NULL) {
		char item[VALUE_ITEM_BYTES], name[VALUE_ITEM_BYTES];
		const char *value;
		unsigned int bit;

		if (!value_item(rest, ',', item, &rest) || !value_item(item, ':', name, &value) ||
			value == NULL)
			return option_fail(why, size,
				"--inject=%.64s: expected comma-separated items such as "
				"drop:0.1%%: " ITEMS,
				text);
		bit = take_item(name, value, &read, why, size);
		if (bit == 0)
			return false;
		if (given & bit)
			return option_fail(why, size, "--inject: %s is given twice", name);
		given |= bit;
	}
	for (unsigned int kind = 0; kind < INJECT_KINDS; kind++)
		sum += read.rates[kind];
	/* The tolerance is needed because decimal fractions such as 0.1 are not exact in binary. */
	if (sum > 1 + 1e-9)
		return option_fail(why, size,
			"--inject: the sum of the rates is %g%%: expected at most 100%%, because a "
			"frame has at most one fault",
			sum * 100);
	if (given == GIVEN_SEED)
		return option_fail(why, size, "--inject: a seed alone has no effect: give a rate");
	*plan = read;
	return true;
}

bool
inject_plans_equal(const struct inject_plan *plan, const struct inject_plan *other)
{
	bool equal = plan->delay_ns == other->delay_ns && plan->seed == other->seed;

	for (unsigned int kind = 0; kind < INJECT_KINDS; kind++)
		equal = equal && plan->rates[kind] == other->rates[kind];
	return equal;
}

/* Mix all bits (the finalizer of splitmix64). */
static uint64_t
mix(uint64_t value)
{
	value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
	return value ^ (value >> 31);
}

void
inject_dice_init(struct inject_dice *dice, uint64_t seed, unsigned int way, uint32_t queue)
{
	const uint64_t state = mix(mix(seed) + 2 * (uint64_t)queue + way);

	unsigned short words[3];

	for (int i = 0; i < 3; i++)
		words[i] = (unsigned short)(state >> (16 * i));
	seed48_r(words, &dice->state);
}

/* @return random number that is at least 0 and less than 1 */
static double throw(struct inject_dice * dice)
{
	double point;

	drand48_r(&dice->state, &point);
	return point;
}

enum inject_kind
inject_decide(struct inject_dice *dice, const struct inject_plan *plan)
{
	double point = throw(dice);

	for (unsigned int kind = 0; kind < INJECT_KINDS; kind++) {
		if (point < plan->rates[kind])
			return (enum inject_kind)kind;
		point -= plan->rates[kind];
	}
	return INJECT_NONE;
}

uint32_t
inject_pick(struct inject_dice *dice, uint32_t count)
{
	return (uint32_t)(throw(dice) * count);
}
