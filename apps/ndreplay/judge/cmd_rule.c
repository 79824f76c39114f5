/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <limits.h>
#include <stdio.h>
#include <strings.h>

#include <ndpdk/nd_trace.h>

#include "ndreplay/command.h"

static struct options {
	char nothing;
} options;

static const struct option_table tables[] = {{NULL, 0, 0}};
static const struct option_set set = {tables, 1, 11};

static void
rule_print(const char *rule)
{
	printf("%s: %s\n", rule, nd_trace_rule_sentence(rule));
}

/* @return the rule with this number, in upper or lower case; NULL: no such rule */
static const char *
rule_find(const char *number)
{
	const char *rule;

	for (size_t i = 0; (rule = nd_trace_rule(i)) != NULL; i++)
		if (strcasecmp(rule, number) == 0)
			return rule;
	return NULL;
}

static int
run(int count, char *operands[])
{
	const char *rule;
	char why[256];

	for (size_t i = 0; count == 0 && (rule = nd_trace_rule(i)) != NULL; i++)
		rule_print(rule);
	for (int i = 0; i < count; i++) {
		rule = rule_find(operands[i]);
		if (rule == NULL) {
			snprintf(why, sizeof(why),
				"unknown rule '%.100s': ndreplay rule lists all rules",
				operands[i]);
			return command_refuse(&command_rule, why);
		}
		rule_print(rule);
	}
	return EXIT_CLEAN;
}

const struct command command_rule = {
	.name = "rule",
	.summary = "print the sentence of a rule, such as RC-005",
	.operands = "[RULE...]",
	.missing = "",
	.about = "Print the rules that ndreplay check applies to captures, one sentence for each. "
		 "Without\n"
		 "RULE, print all rules. docs/rules.md describes the rules in full, with their "
		 "sources.\n",
	.statuses = "Exit status: 0 done, 2 a rule is unknown or the command line is wrong, 3 "
		    "standard\n"
		    "output cannot be written.\n",
	.set = &set,
	.options = &options,
	.operands_max = INT_MAX,
	.run = run,
};
