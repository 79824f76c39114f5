/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef ALLOW_EXPERIMENTAL_API
#define ALLOW_EXPERIMENTAL_API /* rdline_new() */
#endif

#include "terminal.h"

#include <ctype.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <json-c/json.h>

#include <cmdline.h>
#include <cmdline_parse.h>
#include <cmdline_parse_string.h>
#include <cmdline_rdline.h>

#include "command.h"
#include "prompt.h"
#include "settings.h"

#define PROMPT     "ndpmd> "
#define FORMS_MAX  96u
#define READ_BYTES 256u

/* A command of up to three words in the format of rte_cmdline, for completion and help. */
struct form {
	struct cmdline_inst *inst;
	struct cmdline_token_string token[3];
	char help[96]; /* help text of a setting: its name and its values */
};

struct prompt_terminal {
	struct cmdline *completion; /* knows the forms */
	struct rdline *line;        /* line editor with history, from librte_cmdline */
	struct form form[FORMS_MAX];
	cmdline_parse_ctx_t context[FORMS_MAX + 1]; /* terminated by NULL */
	size_t form_count;
	struct termios before;
	bool is_terminal; /* standard input is a terminal */
	bool is_screen;   /* standard output is a terminal */
	bool is_escape;   /* the rest of an escape sequence is being ignored */
	bool is_busy;
	bool is_shown;
	struct answer answer; /* answer of the command that is being executed */
};

/*
 * Help callback of rte_cmdline. It prints the word of the token, or VALUE if the token matches any
 * word. Without it, rte_cmdline would print "Fixed STRING".
 */
static int
word_help(cmdline_parse_token_hdr_t *header, char *to, unsigned int size)
{
	const char *word = ((struct cmdline_token_string *)(void *)header)->string_data.str;

	snprintf(to, size, "%s", word != NULL ? word : "VALUE");
	return 0;
}

/* Make a token that matches text, or any word without completion if text is NULL. */
static void
make_token(struct cmdline_token_string *token, const char *text)
{
	static struct cmdline_token_ops word, any;

	word = cmdline_token_string_ops;
	word.get_help = word_help;
	any = (struct cmdline_token_ops){.parse = word.parse, .get_help = word_help};
	*token = (struct cmdline_token_string){
		.hdr = {.ops = text != NULL ? &word : &any, .offset = 0},
		.string_data = {.str = text},
	};
}

/*
 * Do nothing, because this program never lets rte_cmdline parse lines. rte_cmdline would call this
 * function after it has parsed a line.
 */
static void
do_nothing(void *parsed, struct cmdline *cmdline, void *data)
{
	(void)parsed;
	(void)cmdline;
	(void)data;
}

static bool
make_form(struct form *form, const char *const words[3], const char *help)
{
	unsigned int count = 0;

	form->inst = calloc(1, sizeof(*form->inst) + 4 * sizeof(form->inst->tokens[0]));
	if (form->inst == NULL)
		return false;
	form->inst->f = do_nothing;
	form->inst->help_str = help;
	for (; count < 3 && words[count] != NULL; count++) {
		make_token(&form->token[count], words[count]);
		form->inst->tokens[count] = (void *)&form->token[count];
	}
	return true;
}

static bool
add_form(struct prompt_terminal *terminal, const char *const words[3], const char *help)
{
	const size_t count = terminal->form_count;

	if (count == FORMS_MAX || !make_form(&terminal->form[count], words, help))
		return false;
	terminal->context[count] = terminal->form[count].inst;
	terminal->form_count++;
	return true;
}

static bool
add_settings(struct prompt_terminal *terminal, const char *name)
{
	const struct settings_row *row;

	for (size_t i = 0; (row = settings_row(i)) != NULL; i++) {
		const char *const words[3] = {name, row->name, NULL};
		struct form *form = &terminal->form[terminal->form_count];

		if (!add_form(terminal, words, form->help))
			return false;
		snprintf(form->help, sizeof(form->help), "%s %s", row->name, row->values);
		make_token(&form->token[2], NULL);
		form->inst->tokens[2] = (void *)&form->token[2];
	}
	return true;
}

/*
 * Make one form for each command, one for each setting of `set`, and one `help` form for each
 * command.
 */
static bool
make_forms(struct prompt_terminal *terminal)
{
	const struct command *row;
	const char *last = "";
	bool added = true;

	for (size_t i = 0; (row = command_row(i)) != NULL; i++) {
		const char *const words[3] = {row->name, row->noun, NULL};
		const char *const help[3] = {"help", row->name, NULL};
		const char *const stop[3] = {row->name, "stop", NULL};

		if (strcmp(row->name, "set") == 0)
			added = added && add_settings(terminal, row->name);
		else
			added = added && add_form(terminal, words, row->help);
		if (strcmp(row->name, "listen") == 0)
			added = added && add_form(terminal, stop, row->help);
		if (strcmp(row->name, last) != 0)
			added = added && add_form(terminal, help, "explain the command");
		last = row->name;
	}
	return added;
}

/*
 * Write a character. If standard output is not a terminal, drop escape sequences (ESC [ ...
 * letter).
 */
static int
write_char(struct rdline *line, char c)
{
	const struct prompt *prompt = rdline_get_opaque(line);
	struct prompt_terminal *terminal = prompt->terminal;

	if (c == '\033' && !terminal->is_screen)
		terminal->is_escape = true;
	if (!terminal->is_escape)
		fputc(c, stdout);
	else if (isalpha((unsigned char)c))
		terminal->is_escape = false;
	return 0;
}

static int
complete(struct rdline *line, const char *text, char *to, unsigned int size, int *state)
{
	const struct prompt *prompt = rdline_get_opaque(line);

	return cmdline_complete(prompt->terminal->completion, text, state, to, size);
}

static void
print(void *arg, const char *text)
{
	(void)arg;
	fputs(text, stdout);
}

static void
answer_is_complete(struct prompt_terminal *terminal)
{
	const struct answer_print to = {.write = print};

	terminal->is_busy = false;
	answer_print(&to, &terminal->answer);
}

static void
take_line(struct rdline *line, const char *text, unsigned int size)
{
	struct prompt *prompt = rdline_get_opaque(line);
	struct prompt_terminal *terminal = prompt->terminal;

	(void)size;
	if (command_is_empty(text))
		return;
	terminal->answer = (struct answer){0};
	command_execute(prompt, text, &terminal->answer);
	terminal->is_busy = terminal->answer.later != NULL;
	if (!terminal->is_busy)
		answer_is_complete(terminal);
}

/* Let the terminal deliver single characters without echo. Ctrl-C still sends a signal. */
static void
take_terminal(struct prompt_terminal *terminal)
{
	struct termios settings;

	terminal->is_screen = isatty(STDOUT_FILENO) == 1;
	terminal->is_terminal = tcgetattr(STDIN_FILENO, &terminal->before) == 0;
	if (!terminal->is_terminal)
		return;
	settings = terminal->before;
	settings.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSANOW, &settings);
}

bool
terminal_open(struct prompt *prompt, char *why, size_t size)
{
	struct prompt_terminal *terminal = calloc(1, sizeof(*terminal));

	prompt->terminal = terminal;
	if (terminal != NULL && make_forms(terminal)) {
		terminal->completion = cmdline_new(terminal->context, PROMPT, -1, -1);
		terminal->line = rdline_new(write_char, take_line, complete, prompt);
	}
	if (terminal == NULL || terminal->completion == NULL || terminal->line == NULL) {
		snprintf(why, size, "no memory for the prompt");
		return false;
	}
	take_terminal(terminal);
	return true;
}

/* Process a typed character. @return false: the character ends the input */
static bool
take_char(struct prompt *prompt, char c)
{
	struct prompt_terminal *terminal = prompt->terminal;
	char line[COMMAND_LINE_BYTES];

	switch (rdline_char_in(terminal->line, c)) {
	case RDLINE_RES_VALIDATED:
		snprintf(line, sizeof(line), "%s", rdline_get_buffer(terminal->line));
		line[strcspn(line, "\r\n")] = '\0';
		if (line[0] != '\0')
			rdline_add_history(terminal->line, line);
		if (!terminal->is_busy && !prompt->is_over)
			rdline_newline(terminal->line, PROMPT);
		break;
	case RDLINE_RES_EOF:
		fputc('\n', stdout);
		return false;
	default:
		break;
	}
	return true;
}

bool
terminal_poll(struct prompt *prompt)
{
	struct prompt_terminal *terminal = prompt->terminal;
	struct pollfd descriptor = {.fd = STDIN_FILENO, .events = POLLIN};
	bool goes_on = true;
	char c;

	if (!terminal->is_shown && !terminal->is_busy) {
		rdline_newline(terminal->line, PROMPT);
		terminal->is_shown = true;
	}
	if (terminal->is_busy) {
		if (!terminal->answer.later(prompt, &terminal->answer))
			return true;
		answer_is_complete(terminal);
		rdline_newline(terminal->line, PROMPT);
	}
	for (unsigned int i = 0;
		i < READ_BYTES && goes_on && !terminal->is_busy && !prompt->is_over; i++) {
		if (poll(&descriptor, 1, 0) <= 0)
			break;
		goes_on = read(STDIN_FILENO, &c, 1) == 1 && take_char(prompt, c);
	}
	fflush(stdout);
	return goes_on;
}

void
terminal_hide(struct prompt *prompt)
{
	const struct prompt_terminal *terminal = prompt->terminal;

	if (terminal->is_busy || !terminal->is_shown)
		return;
	fputs(terminal->is_screen ? "\r\033[K" : "\n", stdout);
}

void
terminal_redisplay(struct prompt *prompt)
{
	if (prompt->terminal->is_busy)
		return;
	rdline_redisplay(prompt->terminal->line);
	fflush(stdout);
}

void
terminal_close(struct prompt *prompt)
{
	struct prompt_terminal *terminal = prompt->terminal;

	if (terminal == NULL)
		return;
	if (terminal->is_terminal)
		tcsetattr(STDIN_FILENO, TCSANOW, &terminal->before);
	if (terminal->line != NULL)
		rdline_free(terminal->line);
	if (terminal->completion != NULL)
		cmdline_free(terminal->completion);
	for (unsigned int i = 0; i < FORMS_MAX; i++)
		free(terminal->form[i].inst);
	json_object_put(terminal->answer.result);
	free(terminal);
	prompt->terminal = NULL;
}
