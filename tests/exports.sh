#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
#
# usage: exports.sh LIBRARY.so PREFIX [FOREIGN]
# Fails if the shared library exports a symbol that does not start with PREFIX, a symbol that starts
# with FOREIGN, a symbol without a version, or no symbol.

set -eu

library=$1
prefix=$2
foreign=${3-}
# An absolute symbol (A) is the name of a version.
symbols=$(nm -D --defined-only --with-symbol-versions --format=posix "$library" |
	awk '$2 != "A" { print $1 }')
if [ -z "$symbols" ]; then
	echo "$library exports no symbol" >&2
	exit 1
fi
strangers=$(printf '%s\n' "$symbols" | grep -v "^$prefix" || true)
if [ -n "$foreign" ]; then
	strangers="$strangers$(printf '%s\n' "$symbols" | grep "^$foreign" || true)"
fi
if [ -n "$strangers" ]; then
	echo "$library exports symbols that are not its own (${prefix}*):" >&2
	printf '%s\n' "$strangers" >&2
	exit 1
fi
unversioned=$(printf '%s\n' "$symbols" | grep -v '@@NDPDK_[0-9]' || true)
if [ -n "$unversioned" ]; then
	echo "$library exports symbols without a version (lib/ndpdk.map):" >&2
	printf '%s\n' "$unversioned" >&2
	exit 1
fi
echo "$library exports $(printf '%s\n' "$symbols" | wc -l) symbols, all of them $prefix*"
