#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
#
# usage: format.sh SOURCE_ROOT
# Fails when clang-format would change a C file; exit code 77 (skip) only without clang-format.

set -eu

cd "$1"
if ! command -v clang-format >/dev/null; then
	echo "skipped: clang-format is not installed"
	exit 77
fi
find lib include apps tests -name '*.[ch]' -print0 | xargs -0 clang-format --dry-run -Werror
