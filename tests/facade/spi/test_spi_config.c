/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/* Configuration of adapters: valid and invalid configuration texts. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>
#include <ndpdk/ndspi_support.h>

#include "spi/config.h"

#define ADAPTER(number)                                                                            \
	"[adapter]\nport = net_null" #number "\naddress = 198.51.100." #number "/24\n"

static struct spi_config config;
static char error[SPI_ERROR_BYTES];

/** Write these bytes to a file, name it in the environment, and read it as the configuration. */
static bool
read_bytes(const char *text, size_t length)
{
	char path[] = "/tmp/ndpdk-spi-config-XXXXXX";
	int file = mkstemp(path);
	bool read;

	cr_assert_geq(file, 0);
	cr_assert_eq(write(file, text, length), (ssize_t)length);
	close(file);
	setenv(SPI_CONFIG_VARIABLE, path, 1);
	read = spi_config_read(&config, error);
	unlink(path);
	return read;
}

static bool
read_file(const char *text)
{
	return read_bytes(text, strlen(text));
}

static void
refused(const char *text, const char *reason)
{
	cr_assert_not(read_file(text), "%s", text);
	cr_assert_not_null(strstr(error, reason), "%s", error);
	cr_assert_eq(config.adapter_count, 0);
}

static void
understood(const char *text, size_t adapters)
{
	cr_assert(read_file(text), "%s: %s", text, error);
	cr_assert_eq(config.adapter_count, adapters);
	cr_assert_str_eq(config.adapters[0].port, "net_null1");
	spi_config_free(&config);
}

/* The parser accepts text files of Windows editors, with CR LF, a byte order mark and tabs. */
Test(spi_config, files_of_windows)
{
	understood(
		"\xef\xbb\xbf[adapter]\r\nport\t=\tnet_null1 # first\r\naddress=192.0.2.1\r\n", 1);
	understood("\xef\xbb\xbf# a comment\n" ADAPTER(1) ADAPTER(2), 2);
}

/* A semicolon ends a line in the environment variable, but not in a file. */
Test(spi_config, semicolon_in_a_file)
{
	understood("# two adapters; one each\n" ADAPTER(1) ADAPTER(2), 2);
	setenv(SPI_CONFIG_VARIABLE, "[adapter]; port = x; address = 192.0.2.1 # a; name = b", 1);
	cr_assert(spi_config_read(&config, error), "%s", error);
	cr_assert_str_eq(config.adapters[0].name, "b");
	spi_config_free(&config);
}

Test(spi_config, letters_of_two_bytes)
{
	static const char text[] = "\xff\xfe[\0a\0d\0";

	cr_assert_not(read_bytes(text, sizeof(text)));
	cr_assert_not_null(strstr(error, "not ASCII or UTF-8 text"), "%s", error);
}

Test(spi_config, length)
{
	static char text[65536 + 2];

	memset(text, '\n', sizeof(text) - 1);
	memcpy(text, ADAPTER(1), strlen(ADAPTER(1)));
	refused(text, "more than 65536 bytes");
	text[65536] = '\0';
	understood(text, 1);
}

Test(spi_config, given_twice)
{
	refused(ADAPTER(1) ADAPTER(2) ADAPTER(1), "adapters 1 and 3 have the same address");
	refused("[adapter]\nport = a\nport = b\n", "line 3: expected only one port");
	refused("[adapter]\naddress = ::1\naddress = ::2\n", "line 3: expected only one address");
	refused("eal = -m 1\neal = -m 2\n", "line 2: expected one eal line");
}

/* A prefix longer than the address is refused, because a comparison would read past the address. */
Test(spi_config, prefix)
{
	refused("[adapter]\nport = a\naddress = 192.0.2.1/33\n",
		"line 3: expected a prefix length of 1 to 32");
	refused("[adapter]\nport = a\naddress = 2001:db8::1/129\n",
		"line 3: expected a prefix length of 1 to 32");
	refused("[adapter]\nport = a\naddress = 192.0.2.1/0\n",
		"line 3: expected a prefix length of 1 to 32");
	understood("[adapter]\nport = net_null1\naddress = 192.0.2.1/32\n", 1);
	understood("[adapter]\nport = net_null1\naddress = 2001:db8::1/128\n", 1);
}

Test(spi_config, misspelt)
{
	refused("eall = -m 1\n" ADAPTER(1), "line 1");
	refused("[Adapter]\n", "line 1: expected section [adapter]");
	refused("[adapter]\nPort = x\n", "line 2: expected one of the keys port");
	refused("[adapter]\nport net_null0\n", "line 2: expected key = value");
	refused("[adapter]\naddress = 192.0.2.1/255.255.255.0\n", "line 2: expected a prefix");
	refused("", "has no adapter. Example configuration");
}

/* If EAL does not start, every attempt to open an adapter fails. */
Test(spi_config, eal_does_not_start)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	IND2Adapter *adapter = NULL;

	address.sin_addr.s_addr = htonl(0xC6336401);
	setenv(SPI_CONFIG_VARIABLE,
		"eal = --no-huge --no-pci --no-shconf --no-telemetry -m 64 --vdev=net_nosuch0;"
		"[adapter]; port = net_nosuch0; address = 198.51.100.1",
		1);
	cr_assert_eq(NdStartup(), S_OK);
	for (unsigned int i = 0; i < 3; i++) {
		cr_assert_eq(NdOpenAdapter(&IID_IND2Adapter, (struct sockaddr *)&address,
				     sizeof(address), (void **)&adapter),
			ND_DEVICE_NOT_READY);
		cr_assert_not_null(strstr(NdGetConfigurationError(), "EAL does not start"), "%s",
			NdGetConfigurationError());
	}
	cr_assert_null(adapter);
	cr_assert_eq(NdCleanup(), S_OK);
}

/* Idle connections are probed, unless the configuration disables the probes. */
Test(spi_config, keepalive)
{
	static const struct {
		const char *lines;
		uint32_t keepalive_ms;
	} rows[] = {
		{"", SPI_KEEPALIVE_MS},
		{"peer_timeout_ms = 5000\n", 0},
		{"keepalive_ms = 7\n", 7},
		{"keepalive_ms = 0\n", 0},
		{"keepalive_ms = 7\npeer_timeout_ms = 5000\n", 7},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[128];

		snprintf(text, sizeof(text), ADAPTER(1) "%s", rows[i].lines);
		cr_assert(read_file(text), "%s", error);
		cr_assert_eq(config.adapters[0].native.keepalive_ms, rows[i].keepalive_ms, "%s%u",
			rows[i].lines, config.adapters[0].native.keepalive_ms);
		spi_config_free(&config);
	}
}

/* Each retransmission setting sets the member of nd_adapter_config with the same name. */
Test(spi_config, times_of_retransmissions)
{
	const struct nd_adapter_config *native;

	cr_assert(read_file(ADAPTER(1) "ack_delay = 9\n"
				       "ack_timeout = 13\n"
				       "retry_count = 5\n"
				       "rnr_retry_count = 3\n"
				       "rnr_timer = 17\n"
				       "peer_timeout_ms = 4321\n"),
		"%s", error);
	native = &config.adapters[0].native;
	cr_assert_eq(native->ack_delay, 9);
	cr_assert_eq(native->ack_timeout, 13);
	cr_assert_eq(native->retry_count, 5);
	cr_assert_eq(native->rnr_retry_count, 3);
	cr_assert_eq(native->rnr_timer, 17);
	cr_assert_eq(native->peer_timeout_ms, 4321);
	spi_config_free(&config);
}

Test(spi_config, neighbours_have_a_bound)
{
	static const char line[] = "neighbour = 198.51.100.2 02:00:00:00:00:02\n";
	static char text[4096] = ADAPTER(1);

	for (unsigned int i = 0; i < SPI_NEIGHBOURS_MAX; i++)
		strcat(text, line);
	understood(text, 1);
	strcat(text, line);
	refused(text, "at most 64 neighbours");
}

/* The port of an adapter is given as a device name or as a port number. */
Test(spi_config, port_has_a_number)
{
	struct sockaddr_in address = {.sin_family = AF_INET};
	IND2Adapter *adapter = NULL;

	address.sin_addr.s_addr = htonl(0xC6336401);
	setenv(SPI_CONFIG_VARIABLE,
		"eal = --no-huge --no-pci --no-shconf --no-telemetry -m 256 --vdev=net_null7;"
		"[adapter]; port = 0; address = 198.51.100.1; mbuf_count = 1024",
		1);
	cr_assert_eq(NdStartup(), S_OK);
	cr_assert_eq(NdOpenAdapter(&IID_IND2Adapter, (struct sockaddr *)&address, sizeof(address),
			     (void **)&adapter),
		S_OK, "%s", NdGetConfigurationError());
	cr_assert_eq(IND2Adapter_Release(adapter), 0);
	cr_assert_eq(NdCleanup(), S_OK);
}
