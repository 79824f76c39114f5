/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PROMPT_COMMANDS_H
#define NDPDK_PROMPT_COMMANDS_H

#include "command.h"

/*
 * The functions of the commands. Each function is a command_fn. The table in command.c describes
 * the parameters.
 */

#define COMMAND_DECLARE(name)                                                                      \
	void name(struct prompt *prompt, const struct command_words *words, struct answer *answer)

/* ---- act.c ---- */
COMMAND_DECLARE(command_start);
COMMAND_DECLARE(command_stop);
COMMAND_DECLARE(command_wait);
COMMAND_DECLARE(command_clear);
COMMAND_DECLARE(command_set);
COMMAND_DECLARE(command_listen);
COMMAND_DECLARE(command_quit);

/* ---- show.c ---- */
COMMAND_DECLARE(command_show_port);
COMMAND_DECLARE(command_show_engine);
COMMAND_DECLARE(command_show_qp);
COMMAND_DECLARE(command_show_cq);
COMMAND_DECLARE(command_show_mr);
COMMAND_DECLARE(command_show_mw);
COMMAND_DECLARE(command_show_neighbours);
COMMAND_DECLARE(command_show_config);

/* ---- stats.c ---- */
COMMAND_DECLARE(command_show_stats);
COMMAND_DECLARE(command_show_counters);

/* ---- connection.c ---- */
COMMAND_DECLARE(command_connect);
COMMAND_DECLARE(command_disconnect);
COMMAND_DECLARE(command_bind);
COMMAND_DECLARE(command_invalidate);

/* ---- capture.c ---- */
COMMAND_DECLARE(command_capture_start);
COMMAND_DECLARE(command_capture_stop);

#endif
