/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */

/*
 * hello EAL-ARGUMENTS -- OWN-ADDRESS SERVER-ADDRESS
 *
 * A client of server.c in C++. Objects release their handles in the order that the library
 * requires. A failure status is thrown as an exception.
 */

#include <arpa/inet.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include <rte_alarm.h>
#include <rte_eal.h>
#include <rte_ethdev.h>

#include <ndpdk/nd.h>

namespace
{

void
check(nd_status status, const std::string &what)
{
	if (nd_failed(status))
		throw std::runtime_error(what + ": " + nd_status_name(status));
}

/** Deleter of a unique_ptr that holds a handle. */
template <auto release> struct Release {
	template <typename Object> void operator()(Object *object) const
	{
		release(object);
	}
};
using Adapter = std::unique_ptr<nd_adapter, Release<nd_adapter_close>>;
using Queue = std::unique_ptr<nd_cq, Release<nd_cq_release>>;
using Connector = std::unique_ptr<nd_connector, Release<nd_connector_release>>;
using Endpoint = std::unique_ptr<nd_endpoint, Release<nd_endpoint_release>>;

sockaddr_in
to_address(const char *text, uint16_t port)
{
	sockaddr_in address{};

	address.sin_family = AF_INET;
	address.sin_port = htons(port);
	if (inet_pton(AF_INET, text, &address.sin_addr) != 1)
		throw std::runtime_error(std::string(text) + " is not an IPv4 address");
	return address;
}

Adapter
open_adapter(const char *own)
{
	const sockaddr_in address = to_address(own, 0);
	nd_adapter_config config{};
	nd_adapter *adapter = nullptr;

	std::memcpy(&config.address, &address, sizeof(address));
	if (nd_adapter_open(&config, &adapter) != ND_SUCCESS)
		throw std::runtime_error(nd_adapter_open_error());
	return Adapter(adapter);
}

/** A connection and its objects. Members are destroyed in reverse order of declaration. */
class Connection
{
	static constexpr uint16_t PORT = 7174;
	static constexpr int TCP = 6;

	nd_adapter *adapter;
	std::array<char, 256> memory{};
	nd_mr *mr = nullptr;
	nd_result received{}, sent{};
	nd_overlapped overlapped{};
	Queue queue;
	Connector connector;
	Endpoint endpoint;

	void finish(nd_status status, const std::string &what)
	{
		if (status == ND_PENDING)
			status = nd_overlapped_get_result(&overlapped, nullptr, true);
		overlapped = {};
		check(status, what);
	}

	void wait_for_result()
	{
		nd_result *result = nullptr;

		while (nd_cq_get_results(queue.get(), &result, 1) == 0)
			nd_engine_poll(nd_adapter_engine(adapter));
		check(result->status, "request");
	}

	template <typename Object, typename Make>
	auto *made(const Make &make, const std::string &what)
	{
		Object *object = nullptr;

		check(make(&object), what);
		return object;
	}

      public:
	Connection(const Adapter &opened, const char *server) : adapter(opened.get())
	{
		const sockaddr_in address = to_address(server, PORT);

		check(nd_adapter_register_memory(
			      adapter, memory.data(), memory.size(), nullptr, &mr),
			"memory");
		queue.reset(made<nd_cq>(
			[this](nd_cq **cq) {
				return nd_adapter_create_completion_queue(adapter, 16, cq);
			},
			"completion queue"));
		connector.reset(made<nd_connector>(
			[this](nd_connector **object) {
				return nd_adapter_create_connector(adapter, object);
			},
			"connector"));
		endpoint.reset(made<nd_endpoint>(
			[this](nd_endpoint **object) {
				return nd_connector_create_endpoint(connector.get(), queue.get(),
					queue.get(), 1, 1, 1, 1, 0, 0, nullptr, object);
			},
			"endpoint"));
		finish(nd_connector_connect(connector.get(), endpoint.get(),
			       reinterpret_cast<const sockaddr *>(&address), sizeof(address), TCP,
			       0, nullptr, 0, &overlapped),
			"connection");
		check(nd_connector_complete_connect(connector.get(), nullptr), "connection");
	}

	Connection(const Connection &) = delete;
	Connection &operator=(const Connection &) = delete;

	~Connection()
	{
		/*
		 * Do not call finish() in a destructor, because it throws. The connection ends in
		 * any case.
		 */
		if (nd_connector_disconnect(connector.get(), &overlapped) == ND_PENDING)
			nd_overlapped_get_result(&overlapped, nullptr, true);
		endpoint.reset();
		nd_adapter_deregister_memory(adapter, mr, nullptr);
	}

	std::string ask(std::string question)
	{
		const nd_sge in{memory.data(), memory.size(), mr};
		const nd_sge out{question.data(), question.size(), nullptr};

		check(nd_endpoint_receive(endpoint.get(), &received, &in, 1), "receive");
		check(nd_endpoint_send(endpoint.get(), &sent, &out, 1, 0), "send");
		wait_for_result();
		wait_for_result();
		return std::string(memory.data(), received.bytes_transferred);
	}
};

std::atomic<bool> alarm_over{false};

/**
 * With net_memif, wait until the server has closed its port. See wait_for_server_port() of the C
 * examples.
 */
void
wait_for_server_port()
{
	rte_eth_dev_info info{};
	rte_eth_link link{};

	if (rte_eth_dev_info_get(0, &info) != 0 || info.driver_name != std::string("net_memif"))
		return;
	for (int i = 0; i < 1000; i++) {
		std::this_thread::sleep_for(std::chrono::milliseconds(10));
		if (rte_eth_link_get_nowait(0, &link) != 0 || link.link_status == RTE_ETH_LINK_DOWN)
			break;
	}
	/* The driver's thread runs this alarm after it has freed the rings. */
	if (rte_eal_alarm_set(
		    1, [](void *) { alarm_over = true; }, nullptr) != 0)
		return;
	for (int i = 0; i < 1000 && !alarm_over; i++)
		std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void
run(const char *own, const char *server)
{
	const Adapter adapter = open_adapter(own);

	{
		Connection connection(adapter, server);

		for (const char *word : {"hello", "from", "C++"})
			std::cout << connection.ask(word) << std::endl;
	}
	wait_for_server_port();
}

} // namespace

int
main(int argc, char **argv)
{
	const int used = rte_eal_init(argc, argv);

	if (used < 0) {
		std::cerr << "EAL did not start: see its messages above (without hugepages, give "
			     "--no-huge)\n";
		return 1;
	}
	if (argc - used != 3) {
		std::cerr << "usage: hello EAL-ARGUMENTS -- OWN-ADDRESS SERVER-ADDRESS\n";
		return 2;
	}
	try {
		run(argv[used + 1], argv[used + 2]);
	} catch (const std::exception &failure) {
		std::cerr << failure.what() << '\n';
		return 1;
	}
	rte_eal_cleanup();
	return 0;
}
