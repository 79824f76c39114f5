/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * Queues of an ethdev port, each as a struct port_io (queue.c). Only lib/port uses ethdev.
 *
 * Claims: the process has one list of open ports. A port that this module configures serves one
 * adapter, which claims the whole port. On a port that the application has configured, an adapter
 * claims a range of queues. A claim is made before the driver is called, and released after the
 * port is stopped. So no two engines use one queue, and no engine reconfigures a port that another
 * engine uses.
 *
 * A closed port is stopped, but the ethdev port is not closed, because a closed ethdev port cannot
 * be opened again. The queues keep their setup, so some drivers (net_tap, net_af_xdp) keep buffers
 * of the pool until the port is opened again.
 */

#include "port/port.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <rte_cycles.h>
#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_log.h>

#include "base/assert.h"
#include "base/limits.h"
#include "port/pci.h"
#include "port/queue.h"
#include "port/steer.h"

RTE_LOG_REGISTER(port_log, lib.ndpdk.port, NOTICE)

#define DESCRIPTORS 1024

/**
 * Maximum bytes of a frame besides the IP packet: Ethernet header, one VLAN tag, and FCS. Some
 * drivers leave the FCS in the buffer.
 */
#define FRAME_OVERHEAD_BYTES (RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN + RTE_ETHER_CRC_LEN)

#define LINK_WAIT_MS 2000
#define LINK_STEP_MS 20

struct port {
	struct port_config config;
	bool started;
	uint64_t owner_id; /* ethdev owner ID; RTE_ETH_DEV_NO_OWNER if ndpdk is not the owner */
	struct port *next;
	enum port_steering steering;
	struct steer steer;
	struct link link;
	struct queue queues[LIMIT_ENGINES];
};

/* Buffer for the text that says why a function has failed. */
struct reason {
	char *text;
	size_t size;
};

static pthread_mutex_t claims_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct port *claims;

/**
 * @return text for an error of ethdev. Some drivers return -1, 0 or 1, which are not errno values.
 */
static const char *
error_text(int error)
{
	return error < -1 ? rte_strerror(-error) : "the driver reports no reason";
}

static enum port_error
failed(const struct reason *why, uint16_t port_id, const char *what, int error)
{
	snprintf(why->text, why->size, "port %u cannot %s: %s", port_id, what, error_text(error));
	return PORT_FAILED;
}

static int
socket_of(uint16_t port_id)
{
	int socket_id = rte_eth_dev_socket_id(port_id);

	/* A virtual device has no NUMA node: ethdev returns -1, or 0 with rte_errno set. */
	return socket_id < 0 ? SOCKET_ID_ANY : socket_id;
}

enum port_error
port_query(uint16_t port_id, uint16_t *mtu, int *socket_id)
{
	if (!rte_eth_dev_is_valid_port(port_id) || rte_eth_dev_get_mtu(port_id, mtu) != 0)
		return PORT_ABSENT;
	*socket_id = socket_of(port_id);
	return PORT_OK;
}

uint16_t
port_path_mtu(uint16_t mtu)
{
	for (uint16_t pmtu = LIMIT_PMTU_MAX; pmtu >= LIMIT_PMTU_MIN; pmtu /= 2)
		if (mtu >= pmtu + PORT_HEADER_BYTES_MAX)
			return pmtu;
	return 0;
}

static bool
ranges_overlap(const struct port_config *a, const struct port_config *b)
{
	return a->queue_id < b->queue_id + b->queue_count &&
		b->queue_id < a->queue_id + a->queue_count;
}

static bool
claims_collide(const struct port_config *a, const struct port_config *b)
{
	return a->port_id == b->port_id &&
		(ranges_overlap(a, b) || !a->configured || !b->configured);
}

static enum port_error
claim(struct port *port, const struct reason *why)
{
	const struct port_config *config = &port->config;
	const struct port *other;

	pthread_mutex_lock(&claims_mutex);
	for (other = claims; other != NULL; other = other->next)
		if (!link_is_gone(&other->link) && claims_collide(&other->config, config))
			break;
	if (other == NULL) {
		port->next = claims;
		claims = port;
	}
	pthread_mutex_unlock(&claims_mutex);
	if (other == NULL)
		return PORT_OK;
	snprintf(why->text, why->size, "queue %u of port %u already belongs to another engine",
		RTE_MAX(other->config.queue_id, config->queue_id), config->port_id);
	return PORT_IN_USE;
}

/**
 * Refuse a port that belongs to another owner, such as a bonding device. If config->own is set,
 * become the owner.
 */
static enum port_error
own(struct port *port, const struct reason *why)
{
	struct rte_eth_dev_owner owner = {0};
	uint16_t port_id = port->config.port_id;
	int error;

	if (port->config.configured)
		return PORT_OK;
	error = rte_eth_dev_owner_get(port_id, &owner);
	if (error == 0 && owner.id != RTE_ETH_DEV_NO_OWNER) {
		snprintf(why->text, why->size, "port %u belongs to %s", port_id, owner.name);
		return PORT_IN_USE;
	}
	if (error == 0 && !port->config.own)
		return PORT_OK;
	snprintf(owner.name, sizeof(owner.name), "ndpdk");
	if (error == 0)
		error = rte_eth_dev_owner_new(&owner.id);
	if (error == 0)
		error = rte_eth_dev_owner_set(port_id, &owner);
	if (error != 0)
		return failed(why, port_id, "be owned by ndpdk", error);
	port->owner_id = owner.id;
	return PORT_OK;
}

static void
disown(const struct port *port)
{
	if (port->owner_id != RTE_ETH_DEV_NO_OWNER && !port_removed(port) &&
		rte_eth_dev_owner_unset(port->config.port_id, port->owner_id) != 0)
		rte_log(RTE_LOG_ERR, port_log, "port %u: ownership cannot be released\n",
			port->config.port_id);
}

static void
claim_release(struct port *port)
{
	struct port **link;

	pthread_mutex_lock(&claims_mutex);
	for (link = &claims; *link != port; link = &(*link)->next)
		;
	*link = port->next;
	pthread_mutex_unlock(&claims_mutex);
}

static uint32_t
frame_bytes(uint16_t mtu)
{
	return (uint32_t)mtu + FRAME_OVERHEAD_BYTES;
}

/** @return maximum frame size that fits into one buffer of every queue, in bytes */
static uint32_t
room_bytes(const struct port_config *config)
{
	uint16_t room = UINT16_MAX;

	for (uint16_t i = 0; i < config->queue_count; i++)
		room = RTE_MIN(room, rte_pktmbuf_data_room_size(config->pools[i]));
	return (uint32_t)room - RTE_PKTMBUF_HEADROOM;
}

/**
 * @return the MTU to set. A larger MTU of the port is kept, unless the buffers are too small for it
 * and the driver does not support scattered receive.
 */
static uint16_t
mtu_choose(const struct port_config *config, const struct rte_eth_dev_info *info, uint16_t mtu)
{
	bool fits = frame_bytes(mtu) <= room_bytes(config) ||
		info->rx_offload_capa & RTE_ETH_RX_OFFLOAD_SCATTER;

	return config->mtu == 0 || (mtu >= config->mtu && fits) ? mtu : config->mtu;
}

/**
 * @return largest MTU that ethdev accepts. Some drivers report this MTU, other drivers only limit
 * the frame size.
 */
static uint32_t
mtu_max(const struct rte_eth_dev_info *info)
{
	const uint32_t header_bytes = RTE_ETHER_HDR_LEN + RTE_ETHER_CRC_LEN;

	if (info->max_mtu != UINT16_MAX || info->max_rx_pktlen < header_bytes)
		return info->max_mtu;
	return RTE_MIN(info->max_rx_pktlen - header_bytes, (uint32_t)info->max_mtu);
}

static enum port_error
mtu_set(uint16_t port_id, uint16_t mtu, const struct reason *why)
{
	int error = rte_eth_dev_set_mtu(port_id, mtu);

	/* A software driver that reports no maximum MTU accepts frames of any size. */
	if (error == 0 || error == -ENOTSUP)
		return PORT_OK;
	snprintf(why->text, why->size, "port %u cannot use an MTU of %u: %s", port_id, mtu,
		error_text(error));
	return PORT_FAILED;
}

static enum port_error
queues_setup(const struct port_config *config, const struct rte_eth_dev_info *info,
	const struct rte_eth_conf *conf, const struct reason *why)
{
	uint16_t port_id = config->port_id, rx_count = DESCRIPTORS, tx_count = DESCRIPTORS;
	struct rte_eth_rxconf rx = info->default_rxconf;
	struct rte_eth_txconf tx = info->default_txconf;
	unsigned int socket_id = (unsigned int)socket_of(port_id);
	int error;

	error = rte_eth_dev_adjust_nb_rx_tx_desc(port_id, &rx_count, &tx_count);
	if (error != 0)
		return failed(why, port_id, "adjust its queue sizes", error);
	rx.offloads = conf->rxmode.offloads;
	tx.offloads = conf->txmode.offloads;
	for (uint16_t i = 0; i < config->queue_count; i++) {
		error = rte_eth_rx_queue_setup(
			port_id, i, rx_count, socket_id, &rx, config->pools[i]);
		if (error != 0)
			return failed(why, port_id, "set up a receive queue", error);
		error = rte_eth_tx_queue_setup(port_id, i, tx_count, socket_id, &tx);
		if (error != 0)
			return failed(why, port_id, "set up a transmit queue", error);
	}
	return PORT_OK;
}

/**
 * Configure RSS. At this time it is unknown whether the driver accepts flow rules, which take
 * precedence over RSS.
 */
static void
rss_request(struct port *port, const struct rte_eth_dev_info *info, struct rte_eth_conf *conf)
{
	const struct port_config *config = &port->config;
	uint64_t types = steer_rss_types(info, config->v6);

	if (config->queue_count == 1 || types == 0)
		return;
	conf->rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
	conf->rx_adv_conf.rss_conf.rss_hf = types;
	port->steering = PORT_STEERING_RSS;
}

static enum port_error
configure(struct port *port, const struct reason *why)
{
	const struct port_config *config = &port->config;
	struct rte_eth_conf conf = {.rxmode.mq_mode = RTE_ETH_MQ_RX_NONE};
	uint16_t port_id = config->port_id, count = config->queue_count, mtu_before, mtu;
	struct rte_eth_dev_info info;
	int error;

	error = rte_eth_dev_info_get(port_id, &info);
	if (error == 0)
		error = rte_eth_dev_get_mtu(port_id, &mtu_before);
	if (error != 0)
		return failed(why, port_id, "be queried", error);
	mtu = mtu_choose(config, &info, mtu_before);
	if (mtu < info.min_mtu || mtu > mtu_max(&info)) {
		snprintf(why->text, why->size,
			"port %u cannot use an MTU of %u: its driver allows %u to %u", port_id, mtu,
			info.min_mtu, mtu_max(&info));
		return PORT_FAILED;
	}
	/*
	 * ethdev only records this value as the current MTU. mtu_set() sets the MTU in the driver.
	 */
	conf.rxmode.mtu = mtu;
	conf.intr_conf.lsc = (*info.dev_flags & RTE_ETH_DEV_INTR_LSC) != 0;
	rss_request(port, &info, &conf);
	if (frame_bytes(mtu) > room_bytes(config))
		conf.rxmode.offloads = info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_SCATTER;
	conf.intr_conf.rxq = config->interrupts;
	error = rte_eth_dev_configure(port_id, count, count, &conf);
	if (error != 0)
		return failed(why, port_id, "be configured", error);
	if (mtu != mtu_before && mtu_set(port_id, mtu, why) != PORT_OK) {
		conf.rxmode.mtu = mtu_before;
		if (rte_eth_dev_configure(port_id, count, count, &conf) != 0)
			rte_log(RTE_LOG_ERR, port_log,
				"port %u: the previous MTU cannot be restored\n", port_id);
		return PORT_FAILED;
	}
	return queues_setup(config, &info, &conf, why);
}

/**
 * Enable reception of the multicast frames to ff02::1 and to the solicited-node group of the
 * adapter.
 */
static enum port_error
multicast_enable(uint16_t port_id, const struct reason *why)
{
	int error = rte_eth_allmulticast_enable(port_id);

	if (error != 0)
		error = rte_eth_promiscuous_enable(port_id);
	/* If the driver supports neither mode, it does not filter frames, so this is no error. */
	if (error != 0 && error != -ENOTSUP)
		return failed(why, port_id, "receive multicast frames", error);
	return PORT_OK;
}

/**
 * Wait for the link for a limited time. Some virtual ports have no link until their peer exists, or
 * never have one. After the time, the port is opened without a link.
 */
static void
link_wait(uint16_t port_id)
{
	struct rte_eth_link link;

	for (unsigned int ms = 0; ms < LINK_WAIT_MS; ms += LINK_STEP_MS) {
		if (rte_eth_link_get_nowait(port_id, &link) != 0 ||
			link.link_status == RTE_ETH_LINK_UP)
			return;
		rte_delay_us_sleep(LINK_STEP_MS * 1000);
	}
	rte_log(RTE_LOG_NOTICE, port_log, "port %u has no link yet\n", port_id);
}

/**
 * Check that the port has enough queues. On a port that the application has configured, the
 * configured queues count. On other ports, the queues that the driver supports count.
 */
static enum port_error
queues_check(const struct port_config *config, const struct rte_eth_dev_info *info,
	const struct reason *why)
{
	uint16_t count = config->queue_count, has = count;
	uint16_t offered = RTE_MIN(info->max_rx_queues, info->max_tx_queues);

	if (config->input_only)
		has = info->nb_tx_queues;
	else if (config->configured)
		has = RTE_MIN(info->nb_rx_queues, info->nb_tx_queues);
	else if (count > offered) {
		snprintf(why->text, why->size,
			"port %u cannot have %u queues: its driver supports %u", config->port_id,
			count, offered);
		return PORT_ABSENT;
	}
	if (config->queue_id + count > has) {
		snprintf(why->text, why->size, "port %u has no queue %u: it has %u queues",
			config->port_id, RTE_MAX(config->queue_id, has), has);
		return PORT_ABSENT;
	}
	return PORT_OK;
}

static enum port_error
check(const struct port_config *config, const struct reason *why)
{
	uint16_t port_id = config->port_id, count = config->queue_count;
	struct rte_eth_dev_info info;
	int error;

	if (!rte_eth_dev_is_valid_port(port_id)) {
		snprintf(why->text, why->size, "there is no port %u", port_id);
		return PORT_ABSENT;
	}
	if (count == 0 || count > LIMIT_ENGINES) {
		snprintf(why->text, why->size, "port %u cannot have %u queues: 1 to %u are allowed",
			port_id, count, LIMIT_ENGINES);
		return PORT_ABSENT;
	}
	error = rte_eth_dev_info_get(port_id, &info);
	if (error != 0)
		return failed(why, port_id, "be queried", error);
	return queues_check(config, &info, why);
}

/** Choose flow rules or RSS. Rules are preferred, because they can match the queue pair. */
static void
steering_choose(struct port *port)
{
	static const char *const names[] = {
		[PORT_STEERING_NONE] = "no steering",
		[PORT_STEERING_RSS] = "RSS over UDP ports",
		[PORT_STEERING_FLOW] = "flow rules for destination QPs",
	};
	const struct port_config *config = &port->config;

	if (config->queue_count == 1)
		return;
	if (steer_rules_make(&port->steer,
		    &(struct steer_aim){.port_id = config->port_id,
			    .queue_count = config->queue_count,
			    .v6 = config->v6}))
		port->steering = PORT_STEERING_FLOW;
	rte_log(RTE_LOG_INFO, port_log, "port %u has %u queues, %s\n", config->port_id,
		config->queue_count, names[port->steering]);
}

static enum port_error
start(struct port *port, const struct reason *why)
{
	const struct port_config *config = &port->config;
	uint16_t port_id = config->port_id;
	enum port_error result;
	int error;

	if (!config->configured) {
		result = configure(port, why);
		if (result != PORT_OK)
			return result;
		error = rte_eth_dev_start(port_id);
		if (error != 0)
			return failed(why, port_id, "start", error);
		port->started = true;
		/*
		 * Tests wait for this log line before they connect, because net_memif permanently
		 * refuses peers that connect too early.
		 */
		rte_log(RTE_LOG_INFO, port_log, "port %u is started\n", port_id);
		steering_choose(port);
	}
	if (config->v6) {
		result = multicast_enable(port_id, why);
		if (result != PORT_OK)
			return result;
	}
	if (port->started)
		link_wait(port_id);
	return PORT_OK;
}

/** Called when the port was removed. Afterwards, the port number must not be used. */
static void
gone(void *arg)
{
	struct port *port = arg;

	for (uint16_t i = 0; i < port->config.queue_count; i++)
		queue_remove(&port->queues[i]);
}

static uint32_t
link_mbps(uint16_t port_id)
{
	struct rte_eth_link link = {0};

	if (rte_eth_link_get_nowait(port_id, &link) != 0 ||
		link.link_speed == RTE_ETH_SPEED_NUM_UNKNOWN)
		return 0;
	return link.link_speed;
}

/** Fill in the properties of the port's queues: functions, MAC address, MTU, speed. */
static enum port_error
describe(struct port *port, const struct reason *why)
{
	const struct port_config *config = &port->config;
	struct port_io io = {0};
	uint16_t port_id = config->port_id;
	int error;

	io.socket_id = socket_of(port_id);
	error = rte_eth_macaddr_get(port_id, &io.mac);
	if (error == 0)
		error = rte_eth_dev_get_mtu(port_id, &io.mtu);
	if (error != 0)
		return failed(why, port_id, "be queried", error);
	if (!rte_is_valid_assigned_ether_addr(&io.mac)) {
		/*
		 * A port without a MAC address (net_ring) has no address filter. It may not support
		 * setting an address, which is no error.
		 */
		rte_eth_random_addr(io.mac.addr_bytes);
		error = rte_eth_dev_default_mac_addr_set(port_id, &io.mac);
		if (error != 0 && error != -ENOTSUP)
			return failed(why, port_id, "set a MAC address", error);
	}
	io.link_mbps = link_mbps(port_id);
	for (uint16_t i = 0; i < config->queue_count; i++) {
		queue_open(&port->queues[i], config, &port->link, &io, i);
		rte_log(RTE_LOG_INFO, port_log,
			"port %u queue %u: " RTE_ETHER_ADDR_PRT_FMT ", MTU %u\n", port_id,
			config->queue_id + i, RTE_ETHER_ADDR_BYTES(&io.mac), io.mtu);
	}
	/* Open the link last, because its callback replaces functions of the queues. */
	link_open(&port->link, port_id, gone, port);
	return PORT_OK;
}

enum port_error
port_open(const struct port_config *config, struct port **port_out, char *why, size_t size)
{
	struct reason reason = {why, size};
	enum port_error result;
	struct port *port;

	result = check(config, &reason);
	if (result != PORT_OK)
		return result;
	port = calloc(1, sizeof(*port));
	if (port == NULL) {
		snprintf(why, size, "no memory to open port %u", config->port_id);
		return PORT_FAILED;
	}
	port->config = *config;
	result = claim(port, &reason);
	if (result != PORT_OK) {
		free(port);
		return result;
	}
	result = own(port, &reason);
	if (result == PORT_OK)
		result = start(port, &reason);
	if (result == PORT_OK)
		result = describe(port, &reason);
	if (result != PORT_OK) {
		port_close(port);
		return result;
	}
	*port_out = port;
	return PORT_OK;
}

void
port_close(struct port *port)
{
	int error;

	if (port == NULL)
		return;
	link_close(&port->link);
	if (!port_removed(port))
		steer_rules_destroy(&port->steer);
	if (port->started && !port_removed(port)) {
		error = rte_eth_dev_stop(port->config.port_id);
		if (error != 0)
			rte_log(RTE_LOG_ERR, port_log, "port %u cannot be stopped: %s\n",
				port->config.port_id, error_text(error));
	}
	disown(port);
	claim_release(port);
	free(port);
}

bool
port_make_rules(struct port *port, const struct wire_gid *address)
{
	const struct port_config *config = &port->config;

	if (port->steer.rule_count != 0)
		return true;
	return steer_rules_make(&port->steer,
		&(struct steer_aim){.port_id = config->port_id,
			.queue_id = config->queue_id,
			.queue_count = config->queue_count,
			.v6 = config->v6,
			.address = address});
}

bool
port_removed(const struct port *port)
{
	uint16_t port_id = port->config.port_id;

	return link_is_gone(&port->link) || !rte_eth_dev_is_valid_port(port_id) ||
		rte_eth_dev_is_removed(port_id) != 0;
}

bool
port_has_link(const struct port *port)
{
	return link_is_up(&port->link);
}

void
port_pci_ids(const struct port *port, uint32_t *vendor_id, uint32_t *device_id)
{
	struct rte_eth_dev_info info;

	if (port_removed(port) || rte_eth_dev_info_get(port->config.port_id, &info) != 0 ||
		info.device == NULL)
		return;
	(void)pci_ids_parse(rte_dev_bus_info(info.device), vendor_id, device_id);
}

enum port_steering
port_get_steering(const struct port *port)
{
	return port->steering;
}

const struct port_io *
port_get_io(const struct port *port, uint16_t index)
{
	BASE_ASSERT(index < port->config.queue_count);
	return &port->queues[index].io;
}
