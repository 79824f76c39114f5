/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "clients.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "kit/program.h"

#include "prompt.h"
#include "request.h"

#define CLIENTS_MAX    16u
#define LINE_BYTES_MAX 65536u
/*
 * Limit in bytes for answers that a client has not read. Above this limit, the connection is
 * closed.
 */
#define OUTPUT_MAX     (UINT32_C(4) << 20)
/*
 * Highest number of requests of one client that are executed between two turns of the first worker.
 */
#define REQUESTS_MAX   16u

struct client {
	int descriptor; /* -1 = the entry is not used */
	char *input;    /* LINE_BYTES_MAX */
	size_t input_bytes;
	bool skips;     /* the rest of a line that was too long is being ignored */
	bool has_ended; /* the client has shut down its side, so it sends no more requests */
	bool is_lost;   /* the connection must be closed */
	char *output;   /* answers that were not written to the socket yet */
	size_t output_bytes;
	size_t output_room;
	/* current request, whose answer is delayed while it is busy */
	struct client_request request;
};

struct prompt_clients {
	int listener;
	struct sockaddr_un address;
	struct stat file;
	bool has_file;
	struct client client[CLIENTS_MAX];
};

static void
client_close(struct client *client)
{
	if (client->descriptor < 0)
		return;
	close(client->descriptor);
	request_forget(&client->request);
	free(client->input);
	free(client->output);
	*client = (struct client){.descriptor = -1};
}

/* Remove a socket file that no process uses. @return true if the path can be used now */
static bool
clear_path(const struct sockaddr_un *address, char *why, size_t size)
{
	struct stat file;
	int probe, error;

	if (lstat(address->sun_path, &file) != 0)
		return true;
	if (!S_ISSOCK(file.st_mode)) {
		snprintf(why, size, "--control=%s: the file exists and is not a socket",
			address->sun_path);
		return false;
	}
	probe = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	error = probe < 0 || connect(probe, (const void *)address, sizeof(*address)) == 0 ? 0
											  : errno;
	if (probe >= 0)
		close(probe);
	if (error == ECONNREFUSED)
		return unlink(address->sun_path) == 0;
	snprintf(why, size, "--control=%s: %s", address->sun_path,
		error == 0 || error == EAGAIN ? "another process listens on this socket"
					      : strerror(error));
	return false;
}

static bool
listen_there(struct prompt_clients *clients, char *why, size_t size)
{
	const struct sockaddr_un *address = &clients->address;

	clients->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	/* bind() creates the socket's file with the permissions that fchmod() sets. */
	if (clients->listener >= 0 && fchmod(clients->listener, S_IRUSR | S_IWUSR) == 0 &&
		bind(clients->listener, (const void *)address, sizeof(*address)) == 0) {
		clients->has_file = lstat(address->sun_path, &clients->file) == 0;
		if (listen(clients->listener, (int)CLIENTS_MAX) == 0)
			return true;
	}
	snprintf(why, size, "--control=%s: the socket cannot be created: %s", address->sun_path,
		strerror(errno));
	return false;
}

bool
clients_open(struct prompt *prompt, const char *path, char *why, size_t size)
{
	struct prompt_clients *clients = calloc(1, sizeof(*clients));

	prompt->clients = clients;
	if (clients == NULL) {
		snprintf(why, size, "no memory for --control");
		return false;
	}
	for (unsigned int i = 0; i < CLIENTS_MAX; i++)
		clients->client[i].descriptor = -1;
	clients->listener = -1;
	clients->address.sun_family = AF_UNIX;
	snprintf(clients->address.sun_path, sizeof(clients->address.sun_path), "%s", path);
	return clear_path(&clients->address, why, size) && listen_there(clients, why, size);
}

static void
accept_client(struct prompt_clients *clients)
{
	const int descriptor = accept4(clients->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	static const char refusal[] =
		"{\"id\":null,\"ok\":false,\"error\":\"16 clients are already connected\"}\n";

	if (descriptor < 0)
		return;
	for (unsigned int i = 0; i < CLIENTS_MAX; i++) {
		struct client *client = &clients->client[i];

		if (client->descriptor >= 0)
			continue;
		client->input = malloc(LINE_BYTES_MAX);
		if (client->input == NULL)
			break;
		client->descriptor = descriptor;
		return;
	}
	(void)send(descriptor, refusal, sizeof(refusal) - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(descriptor);
}

static void
client_write(struct client *client)
{
	ssize_t sent;

	if (client->output_bytes == 0)
		return;
	sent = send(client->descriptor, client->output, client->output_bytes,
		MSG_NOSIGNAL | MSG_DONTWAIT);
	if (sent < 0) {
		client->is_lost = errno != EAGAIN && errno != EINTR;
		return;
	}
	client->output_bytes -= (size_t)sent;
	memmove(client->output, client->output + sent, client->output_bytes);
}

/*
 * Make room for more bytes of output. The buffer's size doubles, so each byte is copied O(1)
 * times.
 * @return false: out of memory
 */
static bool
client_reserve(struct client *client, size_t bytes)
{
	const size_t room = RTE_MAX(bytes, 2 * client->output_room);
	char *output;

	if (bytes <= client->output_room)
		return true;
	output = realloc(client->output, room);
	if (output == NULL)
		return false;
	client->output = output;
	client->output_room = room;
	return true;
}

/* Add the answer to the output. Close the connection if the client does not read its answers. */
static void
client_answer(struct client *client)
{
	const char *text = request_answer(&client->request);
	const size_t length = strlen(text);

	if (client->output_bytes + length + 1 > OUTPUT_MAX ||
		!client_reserve(client, client->output_bytes + length + 2)) {
		client->is_lost = true;
		return;
	}
	snprintf(client->output + client->output_bytes, length + 2, "%s\n", text);
	client->output_bytes += length + 1;
	request_forget(&client->request);
	client_write(client);
}

static void
client_line(struct prompt *prompt, struct client *client, const char *line, size_t length)
{
	if (client->skips) {
		client->skips = false;
		return;
	}
	request_execute(prompt, &client->request, line, length);
	if (!client->request.is_busy)
		client_answer(client);
}

/* Execute the complete lines. A line is executed only after the previous line was answered. */
static void
client_execute(struct prompt *prompt, struct client *client)
{
	for (unsigned int i = 0; i < REQUESTS_MAX && !client->is_lost; i++) {
		const char *end;
		size_t length;

		if (client->request.is_busy || prompt->is_over)
			return;
		end = memchr(client->input, '\n', client->input_bytes);
		if (end == NULL)
			break;
		length = (size_t)(end - client->input);
		client_line(prompt, client, client->input, length);
		client->input_bytes -= length + 1;
		memmove(client->input, end + 1, client->input_bytes);
	}
	if (client->input_bytes < LINE_BYTES_MAX ||
		memchr(client->input, '\n', client->input_bytes) != NULL)
		return;
	client->input_bytes = 0;
	if (!client->skips) {
		request_refuse(&client->request, "expected a line of 65535 bytes at most");
		client->skips = true;
		client_answer(client);
	}
}

static void
client_read(struct client *client)
{
	const size_t room = LINE_BYTES_MAX - client->input_bytes;
	ssize_t taken;

	if (room == 0)
		return;
	taken = recv(client->descriptor, client->input + client->input_bytes, room, MSG_DONTWAIT);
	if (taken > 0)
		client->input_bytes += (size_t)taken;
	else if (taken == 0) {
		client->has_ended = true;
		/* At the end of the input, complete a last line that has no line feed. */
		if (client->input_bytes > 0 && client->input[client->input_bytes - 1] != '\n')
			client->input[client->input_bytes++] = '\n';
	} else
		client->is_lost = errno != EAGAIN && errno != EINTR;
}

static void
client_turn(struct prompt *prompt, struct client *client, short events)
{
	if ((events & (POLLIN | POLLHUP | POLLERR)) != 0)
		client_read(client);
	if (client->request.is_busy && request_is_over(prompt, &client->request))
		client_answer(client);
	client_execute(prompt, client);
	if ((events & POLLOUT) != 0)
		client_write(client);
	/*
	 * If a client sends no more requests, close its connection only after all answers were
	 * written.
	 */
	if (client->is_lost || (events & (POLLHUP | POLLERR)) != 0 ||
		(client->has_ended && !client->request.is_busy && client->output_bytes == 0 &&
			memchr(client->input, '\n', client->input_bytes) == NULL))
		client_close(client);
}

void
clients_poll(struct prompt *prompt)
{
	struct prompt_clients *clients = prompt->clients;
	struct pollfd descriptors[CLIENTS_MAX + 1];

	for (unsigned int i = 0; i < CLIENTS_MAX; i++) {
		const struct client *client = &clients->client[i];

		descriptors[i] = (struct pollfd){.fd = client->descriptor};
		if (!client->has_ended)
			descriptors[i].events |= POLLIN;
		if (client->output_bytes > 0)
			descriptors[i].events |= POLLOUT;
	}
	descriptors[CLIENTS_MAX] = (struct pollfd){.fd = clients->listener, .events = POLLIN};
	if (poll(descriptors, CLIENTS_MAX + 1, 0) < 0)
		return;
	for (unsigned int i = 0; i < CLIENTS_MAX; i++)
		if (clients->client[i].descriptor >= 0)
			client_turn(prompt, &clients->client[i], descriptors[i].revents);
	if ((descriptors[CLIENTS_MAX].revents & POLLIN) != 0)
		accept_client(clients);
}

void
clients_close(struct prompt *prompt)
{
	struct prompt_clients *clients = prompt->clients;
	struct stat file;

	if (clients == NULL)
		return;
	for (unsigned int i = 0; i < CLIENTS_MAX; i++) {
		struct client *client = &clients->client[i];

		if (client->descriptor >= 0 && client->request.is_busy) {
			request_refuse(
				&client->request, "ndpmd ended before the command was complete");
			client_answer(client);
		}
		client_close(client);
	}
	if (clients->listener >= 0)
		close(clients->listener);
	/*
	 * Remove the file only if it is still the socket of this process. A different process may
	 * have replaced it.
	 */
	if (clients->has_file && lstat(clients->address.sun_path, &file) == 0 &&
		file.st_dev == clients->file.st_dev && file.st_ino == clients->file.st_ino)
		unlink(clients->address.sun_path);
	free(clients);
	prompt->clients = NULL;
}
