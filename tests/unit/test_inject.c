/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Test how the argument of option --inject is parsed, and which fault each frame gets. */

#include <string.h>

#include <criterion/criterion.h>

#include "kit/inject.h"

#define FRAMES 100000u

static struct inject_plan plan;
static char why[256];

static void
read_plan(const char *text)
{
	cr_assert(inject_parse(text, &plan, why, sizeof(why)), "'%s': %s", text, why);
}

/** Fail unless text is refused with one sentence that contains word, and plan is unchanged. */
static void
expect_refusal(const char *text, const char *word)
{
	const struct inject_plan before = plan;

	cr_assert_not(inject_parse(text, &plan, why, sizeof(why)), "'%s' is taken", text);
	cr_assert_not_null(strstr(why, word), "'%s': %s", text, why);
	cr_assert_null(strchr(why, '\n'));
	cr_assert_eq(memcmp(&before, &plan, sizeof(plan)), 0);
}

Test(inject, text_has_rates_delay_and_seed)
{
	read_plan("drop:0.1%,dup:1%,reorder:.05,corrupt:1e-5,delay:50us,seed:77");
	cr_assert_float_eq(plan.rates[INJECT_DROP], 0.001, 1e-12);
	cr_assert_float_eq(plan.rates[INJECT_DUP], 0.01, 1e-12);
	cr_assert_float_eq(plan.rates[INJECT_REORDER], 0.05, 1e-12);
	cr_assert_float_eq(plan.rates[INJECT_CORRUPT], 1e-5, 1e-12);
	cr_assert_eq(plan.delay_ns, 50000);
	cr_assert_eq(plan.seed, 77);
	read_plan("drop:1");
	cr_assert_float_eq(plan.rates[INJECT_DROP], 1, 1e-12);
	cr_assert_eq(plan.rates[INJECT_DUP], 0);
	cr_assert_eq(plan.delay_ns, 0);
	cr_assert_eq(plan.seed, 1, "the same run twice, unless somebody wants another one");
	read_plan("delay:1.5ms");
	cr_assert_eq(plan.delay_ns, 1500000);
	read_plan("delay:1s");
	cr_assert_eq(plan.delay_ns, INJECT_DELAY_NS_MAX);
	read_plan("drop:70%,dup:20%,reorder:9.9%,corrupt:.1%");
}

Test(inject, sentences_say_what_is_wrong)
{
	expect_refusal("", "comma-separated items");
	expect_refusal("drop", "comma-separated items");
	expect_refusal("drop:1%,", "comma-separated items");
	expect_refusal("drop:", "the rate of drop is ''");
	expect_refusal("drop:much", "the rate of drop is 'much'");
	expect_refusal("drop:-1%", "the rate of drop is '-1%'");
	expect_refusal("drop:nan", "the rate of drop is 'nan'");
	expect_refusal("drop:0x1", "the rate of drop is '0x1'");
	expect_refusal("drop:1%%", "the rate of drop is '1%%'");
	expect_refusal("drop:101%", "more than 100%");
	expect_refusal("dup:5", "without % is a fraction");
	expect_refusal("drop:60%,dup:41%", "101%");
	expect_refusal("lose:1%", "unknown item 'lose'");
	expect_refusal("drop:1%,drop:2%", "drop is given twice");
	expect_refusal("seed:1", "a seed alone");
	expect_refusal("drop:1%,seed:x", "the seed is 'x'");
	expect_refusal("delay:5", "the delay is '5'");
	expect_refusal("delay:5m", "the delay is '5m'");
	expect_refusal("delay:1.1s", "the delay is '1.1s'");
}

/* Compute the faults and the random choices for one run. run[i] is the result for frame i. */
static void
play(uint8_t *run, unsigned int way, uint32_t queue)
{
	struct inject_dice dice;

	inject_dice_init(&dice, plan.seed, way, queue);
	for (uint32_t i = 0; i < FRAMES; i++) {
		const enum inject_kind kind = inject_decide(&dice, &plan);

		run[i] = (uint8_t)kind;
		if (kind == INJECT_REORDER)
			run[i] |= (uint8_t)(16 * inject_pick(&dice, INJECT_PASSES_MAX));
	}
}

static uint8_t first[FRAMES], second[FRAMES];

Test(inject, same_seed_injects_the_same_frames)
{
	read_plan("drop:1%,dup:1%,reorder:1%,corrupt:1%,seed:5");
	play(first, 0, 3);
	play(second, 0, 3);
	cr_assert_arr_eq(first, second, FRAMES);
	play(second, 1, 3);
	cr_assert_arr_neq(first, second, FRAMES, "both ways lose the same");
	play(second, 0, 4);
	cr_assert_arr_neq(first, second, FRAMES, "all queues lose the same");
	plan.seed = 6;
	play(second, 0, 3);
	cr_assert_arr_neq(first, second, FRAMES, "all seeds lose the same");
}

Test(inject, rates_are_those_of_the_text)
{
	uint32_t counts[INJECT_KINDS + 1] = {0};

	read_plan("drop:10%,dup:20%,reorder:30%,corrupt:5%");
	play(first, 0, 0);
	for (uint32_t i = 0; i < FRAMES; i++)
		counts[first[i] % 16]++;
	for (unsigned int kind = 0; kind < INJECT_KINDS; kind++)
		cr_assert_float_eq((double)counts[kind] / FRAMES, plan.rates[kind], 0.005, "%s: %u",
			inject_kind_name((enum inject_kind)kind), counts[kind]);
	read_plan("corrupt:100%");
	play(first, 1, 0);
	for (uint32_t i = 0; i < FRAMES; i++)
		cr_assert_eq(first[i], INJECT_CORRUPT);
	read_plan("delay:1us");
	play(first, 1, 0);
	for (uint32_t i = 0; i < FRAMES; i++)
		cr_assert_eq(first[i], INJECT_NONE);
}
