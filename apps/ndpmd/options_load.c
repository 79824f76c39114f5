/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "options_load.h"

#include <stdlib.h>
#include <string.h>

#include "kit/option.h"
#include "kit/value.h"

/*
 * Range of rates. Above RATE_MAX, the time between two messages is below the resolution of the
 * clock. Below RATE_MIN, the time is longer than two weeks.
 */
#define RATE_MAX 1e12
#define RATE_MIN 1e-6

static const char *const op_names[OPTIONS_OP_COUNT] = {
	[OPTIONS_OP_SEND] = "send",
	[OPTIONS_OP_WRITE] = "write",
	[OPTIONS_OP_READ] = "read",
	[OPTIONS_OP_BIND] = "bind",
	[OPTIONS_OP_SEND_IMM] = "send-imm",
	[OPTIONS_OP_WRITE_IMM] = "write-imm",
	[OPTIONS_OP_FETCH_ADD] = "fetch-add",
	[OPTIONS_OP_COMPARE_SWAP] = "compare-swap",
	[OPTIONS_OP_MIX] = "mix",
};

const char *
options_op_name(enum options_op op)
{
	return op < OPTIONS_OP_COUNT ? op_names[op] : "?";
}

/* Parse an operation, or an operation of a mix with its weight. */
static bool
add_op(struct options *options, const char *name, const char *weight)
{
	uint64_t number = 0;
	unsigned int op;

	for (op = 0; op < OPTIONS_OP_MIX && strcmp(name, op_names[op]) != 0; op++)
		;
	if (op == OPTIONS_OP_MIX || options->op_count == OPTIONS_OPS_MAX)
		return false;
	if (weight != NULL && (!value_number(weight, OPTIONS_WEIGHT_MAX, &number) || number == 0))
		return false;
	options->has_weight |= weight != NULL;
	options->lacks_weight |= weight == NULL;
	options->weights[op] = (uint8_t)number;
	options->ops[options->op_count++] = (enum options_op)op;
	return true;
}

bool
options_take_op(void *taken, const char *value)
{
	struct options *options = taken;
	const char *rest = value;

	options->op_count = 0;
	options->has_weight = options->lacks_weight = false;
	memset(options->weights, 0, sizeof(options->weights));
	while (rest != NULL) {
		char item[VALUE_ITEM_BYTES], name[VALUE_ITEM_BYTES];
		const char *weight;

		if (!value_item(rest, ',', item, &rest) || !value_item(item, ':', name, &weight) ||
			!add_op(options, name, weight))
			return false;
	}
	return true;
}

static bool
check_mix(const struct options *options, char *why, size_t size)
{
	if (options->latency)
		return option_fail(
			why, size, "--latency does not support a mix: give --op without weights");
	if (options->perftest)
		return option_fail(
			why, size, "--perftest does not support a mix: give --op without weights");
	return true;
}

bool
options_make_mix(struct options *options, char *why, size_t size)
{
	unsigned int different = 0;

	/*
	 * When an option is changed after options_parse(), ops[0] is the mix already and is only
	 * checked again.
	 */
	if (!options->has_weight || options->ops[0] == OPTIONS_OP_MIX)
		return !options->has_weight || check_mix(options, why, size);
	if (options->lacks_weight)
		return option_fail(why, size,
			"only some operations of --op have a weight: in a mix, each operation has "
			"a weight, as in send:50,write:50");
	for (unsigned int i = 0; i < options->op_count; i++)
		if (!options_op_mixes(options->ops[i]))
			return option_fail(why, size,
				"--op: %s takes no weight: a mix may contain send, write, read, "
				"send-imm and write-imm",
				options_op_name(options->ops[i]));
	for (unsigned int op = 0; op < OPTIONS_OP_MIX; op++)
		different += options->weights[op] > 0;
	if (different < options->op_count)
		return option_fail(why, size,
			"--op lists an operation of the mix twice: each operation has one weight");
	options->ops[0] = OPTIONS_OP_MIX;
	options->op_count = 1;
	return check_mix(options, why, size);
}

static bool
add_size(struct options *options, uint64_t size)
{
	if (options->size_count == OPTIONS_SIZES_MAX || size > OPTIONS_SIZE_MAX)
		return false;
	options->sizes[options->size_count++] = (uint32_t)size;
	return true;
}

/* Parse a sweep FROM:TO:xN or FROM:TO:+N. text starts after the first colon. */
static bool
add_sweep(struct options *options, uint64_t from, const char *text)
{
	char item[VALUE_ITEM_BYTES];
	const char *step;
	uint64_t to, by;

	if (!value_item(text, ':', item, &step) || step == NULL ||
		!value_size(item, OPTIONS_SIZE_MAX, &to) || from > to ||
		!value_size(step + (*step != '\0'), OPTIONS_SIZE_MAX, &by))
		return false;
	/* Refuse a step that does not increase the size, because the loop would not end. */
	if ((*step != '+' || by == 0) && (*step != 'x' || by < 2 || from == 0))
		return false;
	for (; from <= to; from = *step == 'x' ? from * by : from + by)
		if (!add_size(options, from))
			return false;
	return true;
}

bool
options_take_size(void *taken, const char *value)
{
	struct options *options = taken;
	const char *rest = value;

	options->size_given = true;
	for (options->size_count = 0; rest != NULL;) {
		char item[VALUE_ITEM_BYTES], first[VALUE_ITEM_BYTES];
		const char *sweep;
		uint64_t size;

		if (!value_item(rest, ',', item, &rest) || !value_item(item, ':', first, &sweep) ||
			!value_size(first, OPTIONS_SIZE_MAX, &size))
			return false;
		if (sweep == NULL ? !add_size(options, size) : !add_sweep(options, size, sweep))
			return false;
	}
	options->size_bytes = options->sizes[0];
	return true;
}

/*
 * Parse a rate: N, then k, M, G (powers of 1000) or nothing, then bps or nothing, then /qp or
 * nothing.
 */
bool
options_take_rate(void *taken, const char *value)
{
	struct options *options = taken;
	char *end;

	if (*value < '0' || *value > '9')
		return false;
	options->rate = strtod(value, &end);
	if (*end == 'k' || *end == 'K')
		options->rate *= 1e3;
	else if (*end == 'M')
		options->rate *= 1e6;
	else if (*end == 'G')
		options->rate *= 1e9;
	if (*end != '\0' && strchr("kKMG", *end) != NULL)
		end++;
	options->rate_is_bits = strncmp(end, "bps", 3) == 0;
	if (options->rate_is_bits)
		end += 3;
	options->rate_is_per_qp = strcmp(end, "/qp") == 0;
	if (options->rate_is_per_qp)
		end += 3;
	return *end == '\0' && options->rate >= RATE_MIN && options->rate <= RATE_MAX;
}

unsigned int
options_work_count(const struct options *options)
{
	unsigned int count = 0;

	for (unsigned int i = 0; i < options->op_count; i++)
		count += options_op_is_atomic(options->ops[i]) ? 1 : options->size_count;
	return count;
}

struct options_work
options_work(const struct options *options, unsigned int index)
{
	unsigned int i = 0;

	for (; options_op_is_atomic(options->ops[i]) ? index >= 1 : index >= options->size_count;
		i++)
		index -= options_op_is_atomic(options->ops[i]) ? 1 : options->size_count;
	return (struct options_work){
		.op = options->ops[i],
		.size_bytes = options_op_bytes(options->ops[i], options->sizes[index]),
	};
}

double
options_rate_per_qp(const struct options *options, const struct options_work *work)
{
	double rate = options->rate;

	if (options->rate_is_bits)
		rate /= 8.0 * work->size_bytes;
	return options->rate_is_per_qp ? rate : rate / options->qps;
}
