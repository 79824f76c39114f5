/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_CAPTURE_READER_OPTIONS_H
#define NDPDK_CAPTURE_READER_OPTIONS_H

#include "kit/option.h"

#include "reader.h"

/*
 * Options of commands that read captures. The offsets in the tables are relative to the struct
 * reader_config of the command.
 */

/** --filter, --from, --to. A command with another option --to takes only the first row. */
#define READER_CHOICE_ROWS 3
#define READER_FILTER_ROWS 1
extern const struct option_row reader_choice_rows[READER_CHOICE_ROWS];

/** --follow */
#define READER_FOLLOW_ROWS 1
extern const struct option_row reader_follow_rows[READER_FOLLOW_ROWS];

#endif
