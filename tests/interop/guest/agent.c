/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * The agent runs in the virtual machine. There is one process per virtio-serial port named
 * interop.N. It executes one command at a time for machine.py on the host, with stdin, separate
 * stdout and stderr, and exit status. When the host closes the port, the agent kills the command's
 * process group. So no process of a scenario survives the scenario. Commands use these ports
 * because the network must carry only the traffic under test.
 */

#include "frame.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARGUMENTS_MAX 512
/* Time in us after which a command is aborted if the host stays disconnected. */
#define GONE_US       200000

static int port = -1;
static uint8_t received[sizeof(struct frame) + FRAME_PAYLOAD_MAX];
static size_t received_bytes;

/* The command that is running. pid is 0 if no command is running. */
static struct {
	pid_t pid;
	uint32_t nonce;
	int in, out, err; /* agent's ends of the pipes; -1 if closed */
	uint8_t pending[FRAME_PAYLOAD_MAX];
	/* bytes for the command's stdin, and the number of bytes written */
	size_t pending_bytes, pending_offset;
	bool end_of_input;
} command = {.in = -1, .out = -1, .err = -1};

static bool
host_is_there(void)
{
	struct pollfd state = {.fd = port};

	poll(&state, 1, 0);
	return !(state.revents & POLLHUP);
}

/*
 * @return true if the host has closed the port for at least GONE_US. Data arrive in one virtio
 * queue. Events (connect, disconnect) arrive in a second queue, which may be late. Therefore a
 * command of a new host may arrive before the event that the old host has disconnected.
 */
static bool
host_has_gone(void)
{
	if (host_is_there())
		return false;
	usleep(GONE_US);
	return !host_is_there();
}

static void
port_write(const uint8_t *data, size_t size)
{
	while (size > 0) {
		struct pollfd state = {.fd = port, .events = POLLOUT};
		ssize_t written = write(port, data, size);

		if (written > 0) {
			data += written;
			size -= (size_t)written;
			continue;
		}
		if (written < 0 && errno != EAGAIN && errno != EINTR)
			return;
		poll(&state, 1, 1000);
		if (state.revents & POLLHUP)
			return;
	}
}

static void
send_frame(enum frame_type type, const void *payload, uint32_t length)
{
	static uint8_t out[sizeof(struct frame) + FRAME_PAYLOAD_MAX];
	struct frame header = {FRAME_MAGIC, type, command.nonce, length};

	memcpy(out, &header, sizeof(header));
	if (length > 0)
		memcpy(out + sizeof(header), payload, length);
	port_write(out, sizeof(header) + length);
}

static void
close_pipe(int *end)
{
	if (*end >= 0)
		close(*end);
	*end = -1;
}

static void
command_forget(void)
{
	command.pid = 0;
	close_pipe(&command.in);
	close_pipe(&command.out);
	close_pipe(&command.err);
	command.pending_bytes = 0;
	command.pending_offset = 0;
	command.end_of_input = false;
}

static void
command_abort(void)
{
	bool gone = command.pid == 0;

	if (!gone)
		kill(-command.pid, SIGTERM);
	for (int i = 0; i < 20 && !gone; i++) {
		gone = waitpid(command.pid, NULL, WNOHANG) == command.pid;
		if (!gone)
			usleep(50000);
	}
	if (!gone) {
		kill(-command.pid, SIGKILL);
		waitpid(command.pid, NULL, 0);
	}
	command_forget();
}

static void
child_exec(char **argv, const int *in, const int *out, const int *err)
{
	sigset_t none;

	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(in[0], 0);
	dup2(out[1], 1);
	dup2(err[1], 2);
	if (argv[0] != NULL)
		execvp(argv[0], argv);
	fprintf(stderr, "agent: %s: %s\n", argv[0] ? argv[0] : "(nothing)", strerror(errno));
	_exit(127);
}

static void
command_start(char *text, size_t length)
{
	char *argv[ARGUMENTS_MAX + 1];
	int in[2], out[2], err[2], count = 0;
	uint32_t pid;

	for (size_t i = 0; i < length && count < ARGUMENTS_MAX; i += strlen(text + i) + 1)
		argv[count++] = text + i;
	argv[count] = NULL;
	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) {
		perror("agent: pipe");
		exit(1);
	}
	command.pid = fork();
	if (command.pid == 0)
		child_exec(argv, in, out, err);
	close(in[0]);
	close(out[1]);
	close(err[1]);
	command.in = in[1];
	command.out = out[0];
	command.err = err[0];
	fcntl(command.in, F_SETFL, O_NONBLOCK);
	fcntl(command.out, F_SETFL, O_NONBLOCK);
	fcntl(command.err, F_SETFL, O_NONBLOCK);
	pid = (uint32_t)command.pid;
	send_frame(FRAME_START, &pid, sizeof(pid));
}

/* Forward the contents of a pipe to the host. @return true if the pipe contained data */
static bool
pump(int *end, enum frame_type type)
{
	static uint8_t data[FRAME_PAYLOAD_MAX];
	ssize_t size;

	if (*end < 0)
		return false;
	size = read(*end, data, sizeof(data));
	if (size > 0) {
		send_frame(type, data, (uint32_t)size);
		return true;
	}
	if (size == 0 || (errno != EAGAIN && errno != EINTR))
		close_pipe(end);
	return false;
}

static void
frame_handle(const struct frame *header, const uint8_t *payload)
{
	static char text[FRAME_PAYLOAD_MAX + 1];

	if (header->type == FRAME_EXEC) {
		command_abort();
		memcpy(text, payload, header->length);
		text[header->length] = '\0';
		command.nonce = header->nonce;
		command_start(text, header->length);
	} else if (header->type == FRAME_STDIN && command.pid > 0 &&
		header->nonce == command.nonce) {
		memcpy(command.pending, payload, header->length);
		command.pending_bytes = header->length;
		command.pending_offset = 0;
		command.end_of_input = header->length == 0;
	}
}

static void
received_drop(size_t size)
{
	received_bytes -= size;
	memmove(received, received + size, received_bytes);
}

/*
 * Process the complete frames among the received bytes. Stop while the command's stdin has not
 * accepted all bytes of the last frame.
 */
static void
received_parse(void)
{
	while (command.pending_offset == command.pending_bytes) {
		struct frame header = {0};
		size_t skip = 0;

		for (; received_bytes - skip >= sizeof(header.magic); skip++) {
			memcpy(&header.magic, received + skip, sizeof(header.magic));
			if (header.magic == FRAME_MAGIC)
				break;
		}
		received_drop(skip);
		if (received_bytes < sizeof(header))
			return;
		memcpy(&header, received, sizeof(header));
		if (header.length > FRAME_PAYLOAD_MAX) {
			received_drop(1);
			continue;
		}
		if (received_bytes < sizeof(header) + header.length)
			return;
		frame_handle(&header, received + sizeof(header));
		received_drop(sizeof(header) + header.length);
	}
}

static void
input_write(void)
{
	bool is_pending = command.pending_bytes > command.pending_offset;
	ssize_t written = -1;

	if (is_pending && command.in >= 0)
		written = write(command.in, command.pending + command.pending_offset,
			command.pending_bytes - command.pending_offset);
	if (written > 0)
		command.pending_offset += (size_t)written;
	else if (is_pending && (command.in < 0 || (errno != EAGAIN && errno != EINTR)))
		/* The command has closed its stdin. */
		command.pending_offset = command.pending_bytes;
	if (command.end_of_input && command.pending_bytes == command.pending_offset)
		close_pipe(&command.in);
}

static void
command_collect(void)
{
	uint32_t code;
	int status;

	pump(&command.out, FRAME_STDOUT);
	pump(&command.err, FRAME_STDERR);
	if (command.pid == 0 || waitpid(command.pid, &status, WNOHANG) != command.pid)
		return;
	while (pump(&command.out, FRAME_STDOUT))
		;
	while (pump(&command.err, FRAME_STDERR))
		;
	code = WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status)
				 : 128u + (uint32_t)WTERMSIG(status);
	send_frame(FRAME_EXIT, &code, sizeof(code));
	command_forget(); /* Background processes of the command are not killed. */
}

static void
work(const sigset_t *wake)
{
	bool is_pending = command.pending_bytes > command.pending_offset;
	struct pollfd state[] = {
		{.fd = port, .events = is_pending ? 0 : POLLIN},
		{.fd = command.out, .events = POLLIN},
		{.fd = command.err, .events = POLLIN},
		{.fd = is_pending ? command.in : -1, .events = POLLOUT},
	};
	struct timespec second = {1, 0};
	ssize_t size;

	if (host_has_gone()) {
		command_abort();
		received_bytes = 0;
		/* The host's connection causes SIGIO, which ends the wait. */
		sigtimedwait(wake, NULL, &second);
		return;
	}
	poll(state, 4, command.pid > 0 ? 50 : 1000);
	if (state[0].revents & POLLIN) {
		size = read(port, received + received_bytes, sizeof(received) - received_bytes);
		if (size > 0)
			received_bytes += (size_t)size;
	}
	received_parse();
	input_write();
	command_collect();
}

static void
serve(const char *device)
{
	sigset_t wake;

	sigemptyset(&wake);
	sigaddset(&wake, SIGIO);
	sigaddset(&wake, SIGCHLD);
	sigprocmask(SIG_BLOCK, &wake, NULL);
	signal(SIGPIPE, SIG_IGN);
	port = open(device, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (port < 0) {
		perror(device);
		exit(1);
	}
	fcntl(port, F_SETOWN, getpid());
	fcntl(port, F_SETFL, O_NONBLOCK | O_ASYNC);
	for (;;)
		work(&wake);
}

static bool
is_ours(const char *entry)
{
	char path[512], name[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/sys/class/virtio-ports/%s/name", entry);
	file = fopen(path, "r");
	if (file == NULL)
		return false;
	if (fgets(name, sizeof(name), file) == NULL)
		name[0] = '\0';
	fclose(file);
	return strncmp(name, "interop.", 8) == 0;
}

int
main(void)
{
	DIR *folder = opendir("/sys/class/virtio-ports");
	struct dirent *entry;
	char device[512];
	int count = 0;

	if (folder == NULL) {
		perror("/sys/class/virtio-ports");
		return 1;
	}
	while ((entry = readdir(folder)) != NULL) {
		if (!is_ours(entry->d_name))
			continue;
		snprintf(device, sizeof(device), "/dev/%s", entry->d_name);
		if (fork() == 0)
			serve(device);
		count++;
	}
	closedir(folder);
	fprintf(stderr, "agent: %d ports\n", count);
	return count > 0 ? 0 : 1;
}
