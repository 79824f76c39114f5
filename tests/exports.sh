#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
#
# usage: exports.sh LIBRARY.so
# Fails when the shared library exports a symbol that does not start with nd_, or none at all.

set -eu

library=$1
symbols=$(nm -D --defined-only --format=posix "$library" | cut -d' ' -f1)
if [ -z "$symbols" ]; then
	echo "$library exports no symbol" >&2
	exit 1
fi
strangers=$(printf '%s\n' "$symbols" | grep -v '^nd_' || true)
if [ -n "$strangers" ]; then
	echo "$library exports symbols that do not start with nd_:" >&2
	printf '%s\n' "$strangers" >&2
	exit 1
fi
echo "$library exports $(printf '%s\n' "$symbols" | wc -l) symbols, all of them nd_*"
