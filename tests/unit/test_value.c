/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include "kit/value.h"

/* Test the parsing of option values that several programs use. */

Test(value, times)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} valid[] = {{"10ms", 10000000}, {"500us", 500000}, {"0.5us", 500}, {"2", 2000000000},
		{"2s", 2000000000}, {"0.25", 250000000}, {"0", 0}, {".5s", 500000000},
		{"31536000", UINT64_C(31536000000000000)}};
	static const char *const wrong[] = {"", "ms", "-1ms", "+1ms", "10 ms", "10m", "10MS",
		"10msx", "10ns", "nan", "inf", "1e30", "31536001", "31536000001ms"};
	uint64_t ns;

	for (size_t i = 0; i < sizeof(valid) / sizeof(valid[0]); i++) {
		ns = 1;
		cr_expect(value_time(valid[i].text, &ns), "'%s'", valid[i].text);
		cr_expect_eq(ns, valid[i].ns, "'%s': %lu", valid[i].text, (unsigned long)ns);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		cr_expect_not(value_time(wrong[i], &ns), "'%s'", wrong[i]);
}

Test(value, seconds_take_no_suffix)
{
	uint64_t ns = 0;

	cr_expect(value_seconds("1.5", &ns));
	cr_expect_eq(ns, 1500000000);
	cr_expect_not(value_seconds("1.5s", &ns));
	cr_expect_not(value_seconds("", &ns));
}

Test(value, names_of_pictures)
{
	cr_expect(value_picture("a.svg"));
	cr_expect(value_picture("folder/a.b.png"));
	cr_expect_not(value_picture(".svg"));
	cr_expect_not(value_picture("a.SVG"));
	cr_expect_not(value_picture("a.pdf"));
	cr_expect_not(value_picture(""));
}
