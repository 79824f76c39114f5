#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
#
# guest.py runs this script in the virtual machine of tests/interop, which has one processor:
#
# guest.sh prepare
#     Makes two cables. r0 == r1 has a device of Soft-RoCE at each end. Both ends belong to the same
#     host, so routes by interface are needed to send packets over the cable. n0 == n1 has no
#     addresses, because ndpmd is at both ends.
# guest.sh rxe TOOL DEPTH_ARGUMENT...
#     Runs perftest between r0 and r1. Prints its last line, then the frames sent over the cable.
# guest.sh ndpmd ARGUMENT...
#     Runs ndpmd with both ends in one thread, over net_af_packet at n0 and n1.

set -eu

end_up()
{
	ip link set "$1" mtu 1500 up
	# No offloads, so that the cable carries complete packets.
	ethtool -K "$1" tx off rx off sg off tso off gso off gro off >/dev/null 2>&1
}

# reach OWN_NUMBER PEER_NUMBER: send packets of r OWN to the peer, not to the host itself.
reach()
{
	mac=$(cat "/sys/class/net/r$2/address")
	ip neigh replace "10.8.0.$2" lladdr "$mac" dev "r$1" nud permanent
	ip route add "10.8.0.$2/32" dev "r$1" table "10$1"
	ip rule add pref "1$1" oif "r$1" lookup "10$1"
}

prepare()
{
	modprobe veth
	ip link add r0 type veth peer name r1
	ip link add n0 type veth peer name n1
	for name in n0 n1; do
		sysctl -q -w "net.ipv6.conf.$name.disable_ipv6=1"
		end_up $name
	done
	sysctl -q -w net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.all.accept_local=1
	for number in 0 1; do
		end_up r$number
		sysctl -q -w net.ipv4.conf.r$number.rp_filter=0
		ip addr add 10.8.0.$number/24 dev r$number
	done
	reach 0 1
	reach 1 0
	ip rule add pref 20 lookup local
	ip rule del pref 0
	for number in 0 1; do
		rdma link add rxe_r$number type rxe netdev r$number
	done
}

rxe()
{
	tool=$1
	shift
	before=$(cat /sys/class/net/r0/statistics/tx_packets)
	$tool -d rxe_r1 -x 1 -F -m 1024 "$@" >/tmp/server.log 2>&1 &
	sleep 1
	$tool -d rxe_r0 -x 1 -F -m 1024 "$@" 127.0.0.1 >/tmp/client.log 2>&1 || cat /tmp/client.log
	kill $! 2>/dev/null || true
	grep '^ *[0-9]' /tmp/client.log | tail -1
	echo "frames $(($(cat /sys/class/net/r0/statistics/tx_packets) - before))"
}

ndpmd()
{
	options=framesz=2048,blocksz=4096,framecnt=512
	export LD_LIBRARY_PATH=/ndpdk
	/ndpdk/ndpmd --no-huge --no-shconf --no-pci -m 256 --no-telemetry --log-level=error \
		-d /ndpdk/librte_net_af_packet.so -d /ndpdk/librte_mempool_ring.so --lcores=0@0 \
		--vdev=net_af_packet0,iface=n0,$options --vdev=net_af_packet1,iface=n1,$options \
		-- --loopback --port=0,1 --path-mtu=1024 --json "$@"
}

"$@"
