/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include <criterion/criterion.h>

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include <ndpdk/win/tchar.h>
#include <ndpdk/win/windows.h>

#define EXPECT_TEXT(expected, ...)                                                                 \
	do {                                                                                       \
		char text_[256];                                                                   \
		cr_expect_eq(sprintf_s(text_, sizeof(text_), __VA_ARGS__),                         \
			(int)(sizeof(expected) - 1), "%s", #__VA_ARGS__);                          \
		cr_expect_str_eq(text_, expected, "%s", #__VA_ARGS__);                             \
	} while (0)

#define EXPECT_WIDE(expected, ...)                                                                 \
	do {                                                                                       \
		wchar_t text_[256];                                                                \
		cr_expect_eq(swprintf_s(text_, ARRAYSIZE(text_), __VA_ARGS__),                     \
			(int)(ARRAYSIZE(expected) - 1), "%s", #__VA_ARGS__);                       \
		cr_expect_eq(wcscmp(text_, expected), 0, "%s", #__VA_ARGS__);                      \
	} while (0)

Test(win_text, numbers_have_the_widths_of_windows)
{
	EXPECT_TEXT("-5 5 0x1f 37", "%d %u %#x %o", -5, 5u, 31, 31);
	EXPECT_TEXT("4294967295 -1 ffffffff", "%lu %ld %lx", (DWORD)-1, (LONG)-1, (DWORD)-1);
	EXPECT_TEXT("-9223372036854775808", "%I64d", INT64_MIN);
	EXPECT_TEXT("18446744073709551615 ffffffffffffffff", "%I64u %llx", UINT64_MAX, UINT64_MAX);
	EXPECT_TEXT("18446744073709551615", "%Iu", SIZE_MAX);
	EXPECT_TEXT("4294967295 7 8", "%I32u %zu %td", UINT32_MAX, (size_t)7, (ptrdiff_t)8);
	EXPECT_TEXT("-1 255 8", "%hd %hhu %hu", -1, 255, 8);
	EXPECT_TEXT("[    7|7    |00007|+7| 7]", "[%5d|%-5d|%05d|%+d|% d]", 7, 7, 7, 7, 7);
	EXPECT_TEXT("[   007|7  ]", "[%*.*d|%*d]", 6, 3, 7, -3, 7);
	/* INT_MIN as an argument of '*' cannot be negated. */
	cr_expect_eq(snprintf(NULL, 0, "%*d", INT_MIN, 7), 999999);
	cr_expect_eq(snprintf(NULL, 0, "%*s", INT_MAX, "7"), 999999);
	cr_expect_eq(snprintf(NULL, 0, "%1234567d", 7), 999999);
	EXPECT_TEXT("7", "%.*d", INT_MIN, 7);
	EXPECT_TEXT("1.50 2.5e+00 0.25", "%.2f %.1e %g", 1.5, 2.5, 0.25);
	EXPECT_TEXT("[1.250]", "[%.3Lf]", 1.25L);
	EXPECT_TEXT("00000000DEADBEEF", "%p", (void *)0xDEADBEEF);
	EXPECT_TEXT("100% %y %", "%d%% %y %", 100);
}

Test(win_text, text_of_both_kinds)
{
	EXPECT_TEXT("a b c d", "%s %S %hs %ls", "a", L"b", "c", L"d");
	EXPECT_WIDE(L"a b c d", L"%s %S %hs %ls", L"a", "b", "c", L"d");
	EXPECT_TEXT("xy z", "%c%C %lc", 'x', L'y', L'z');
	EXPECT_WIDE(L"xyz", L"%c%C%hc", L'x', 'y', 'z');
	EXPECT_TEXT("[  ab|ab  |a]", "[%4s|%-4s|%.1s]", "ab", "ab", "ab");
	EXPECT_WIDE(L"[  \u00e4b|\u00e4b  |\u00e4]", L"[%4s|%-4s|%.1s]", L"\u00e4b", L"\u00e4b",
		L"\u00e4b");
	EXPECT_TEXT("(null) (null)", "%s %ls", (char *)NULL, (wchar_t *)NULL);
	EXPECT_TEXT("\u00e4 \u20ac \U0001F600", "%ls", L"\u00e4 \u20ac \U0001F600");
	EXPECT_WIDE(L"\u00e4 \u20ac \U0001F600", L"%S", "\u00e4 \u20ac \U0001F600");
	EXPECT_WIDE(L"a\uFFFDb", L"%S",
		"a\xff"
		"b");
	EXPECT_TEXT("\uFFFD", "%ls", (const wchar_t[]){(wchar_t)0xD800, 0});
}

Test(win_text, long_results)
{
	static char text[70000];

	cr_expect_eq(sprintf_s(text, sizeof(text), "%60000d|%s", 1, "end"), 60004);
	cr_expect_str_eq(text + 59999, "1|end");
}

Test(win_text, what_does_not_fit)
{
	wchar_t wide[4] = L"abc";
	char text[4] = "abc";

	cr_expect_eq(sprintf_s(text, sizeof(text), "%d", 1234), -1);
	cr_expect_str_eq(text, "");
	cr_expect_eq(sprintf_s(text, sizeof(text), "%d", 123), 3);
	cr_expect_eq(sprintf_s(text, 0, "1"), -1);
	cr_expect_eq(sprintf_s(NULL, 4, "1"), -1);
	cr_expect_eq(swprintf_s(wide, ARRAYSIZE(wide), L"%d", 1234), -1);
	cr_expect_eq(wide[0], L'\0');
	cr_expect_eq(_snprintf(text, sizeof(text), "%d", 1234), -1);
	cr_expect_str_eq(text, "123");
	cr_expect_eq(snprintf(text, sizeof(text), "%I64d", INT64_C(12345)), 5);
	cr_expect_str_eq(text, "123");
	cr_expect_eq(snprintf(NULL, 0, "%I64d", INT64_C(12345)), 5);
	cr_expect_eq(_snprintf_s(text, sizeof(text), _TRUNCATE, "%d", 1234), -1);
	cr_expect_str_eq(text, "123");
	cr_expect_eq(_snprintf_s(text, sizeof(text), 2, "%d", 1234), -1);
	cr_expect_str_eq(text, "12");
}

Test(win_text, wide_and_narrow_text_mix_on_a_stream)
{
	char name[] = "/tmp/win_text_XXXXXX";
	char text[64] = "";
	int fd = mkstemp(name);
	FILE *file = fdopen(fd, "w+");

	cr_assert_not_null(file);
	unlink(name);
	cr_expect_eq(fprintf(file, "%I64d ", INT64_C(1)), 2);
	cr_expect_eq(fwprintf(file, L"%s ", L"\u00e4"), 3);
	cr_expect_geq(fputws(L"two", file), 0);
	cr_expect_eq(fputwc(L'!', file), L'!');
	cr_expect_eq(fprintf(file, "%s", ""), 0);
	rewind(file);
	cr_expect_not_null(fgets(text, sizeof(text), file));
	cr_expect_str_eq(text, "1 \u00e4 two!");
	fclose(file);
}

Test(win_text, output_that_fails)
{
	FILE *file = fopen("/dev/full", "w");

	if (!file)
		cr_skip("no /dev/full");
	setvbuf(file, NULL, _IONBF, 0);
	cr_expect_lt(fprintf(file, "text"), 0);
	cr_expect_lt(fwprintf(file, L"text"), 0);
	cr_expect_lt(fputws(L"text", file), 0);
	cr_expect_eq(fputwc(L'!', file), WEOF);
	fclose(file);
}

Test(win_text, checked_strings)
{
	wchar_t wide[4];
	char text[4];

	cr_expect_eq(strcpy_s(text, sizeof(text), "abc"), 0);
	cr_expect_str_eq(text, "abc");
	cr_expect_eq(strcpy_s(text, sizeof(text), "abcd"), ERANGE);
	cr_expect_str_eq(text, "");
	cr_expect_eq(strcat_s(text, sizeof(text), "ab"), 0);
	cr_expect_eq(strcat_s(text, sizeof(text), "c"), 0);
	cr_expect_str_eq(text, "abc");
	cr_expect_eq(strcat_s(text, sizeof(text), "d"), ERANGE);
	cr_expect_str_eq(text, "");
	cr_expect_eq(strncpy_s(text, sizeof(text), "abcdef", 3), 0);
	cr_expect_str_eq(text, "abc");
	cr_expect_eq(strncpy_s(text, sizeof(text), "abcdef", 4), ERANGE);
	cr_expect_eq(strncpy_s(text, sizeof(text), "abcdef", _TRUNCATE), STRUNCATE);
	cr_expect_str_eq(text, "abc");
	cr_expect_eq(strcpy_s(NULL, 4, "a"), EINVAL);
	cr_expect_eq(strcpy_s(text, 0, "a"), EINVAL);
	cr_expect_eq(strcpy_s(text, 4, NULL), EINVAL);
	cr_expect_str_eq(text, "");
	cr_expect_eq(wcscpy_s(wide, 4, L"abc"), 0);
	cr_expect_eq(wcscat_s(wide, 4, L"d"), ERANGE);
	cr_expect_eq(wide[0], L'\0');
	cr_expect_eq(wcsncpy_s(wide, 4, L"abcdef", _TRUNCATE), STRUNCATE);
	cr_expect_eq(wcscmp(wide, L"abc"), 0);
	cr_expect_eq(memcpy_s(text, sizeof(text), "wxyz", 4), 0);
	cr_expect_eq(memcpy_s(text, sizeof(text), "abcde", 5), ERANGE);
	cr_expect_arr_eq(text, "\0\0\0\0", 4);
	cr_expect_eq(memmove_s(text, 4, NULL, 1), EINVAL);
}

Test(win_text, conversions)
{
	cr_expect_eq(_wtol(L"-17"), -17);
	cr_expect_eq(_wtoi64(L"9000000000"), 9000000000);
	cr_expect_eq(_strtoui64("ffffffffffffffff", NULL, 16), UINT64_MAX);
	cr_expect_eq(_wcstoui64(L"18446744073709551615", NULL, 10), UINT64_MAX);
	cr_expect_eq(_stricmp("aBc", "AbC"), 0);
	cr_expect_eq(_wcsicmp(L"aBc", L"AbC"), 0);
	cr_expect_eq(_countof("abc"), 4);
	cr_expect_eq(_ttol(_T("12")), 12);
	cr_expect_eq(_tcsicmp(_T("X"), _T("x")), 0);
}

Test(win_text, files_with_wide_paths)
{
	FILE *file = NULL;

	cr_expect_null(_wfopen(L"/nonexistent/\u00e4", L"r"));
	cr_expect_eq(_wfopen_s(&file, L"/dev/null", L"r"), 0);
	cr_expect_not_null(_wfreopen(L"/dev/zero", L"r", file));
	cr_expect_eq(fgetc(file), 0);
	fclose(file);
	cr_expect_null(_wfopen(NULL, L"r"));
	cr_expect_eq(fopen_s(&file, "/nonexistent", "r"), ENOENT);
	cr_expect_null(file);
	cr_expect_eq(fopen_s(NULL, "/dev/null", "r"), EINVAL);
}
