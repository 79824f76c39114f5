# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
#
# Functions for clean roots of Debian. Sourced by the scripts in this folder.

note()
{
	printf '=== %4d s: %s\n' $SECONDS "$1"
}

fail()
{
	echo "FAILED: $1" >&2
	exit 1
}

# need COMMAND...: exit with 77 if a command is missing, or without root or mount namespaces.
need()
{
	local command
	for command in "$@"; do
		if ! command -v "$command" >/dev/null; then
			echo "not run: there is no $command"
			exit 77
		fi
	done
	if [ "$(id -u)" -ne 0 ] || ! unshare -m true 2>/dev/null; then
		echo "not run: it needs root, and a mount namespace"
		exit 77
	fi
}

cache_folder()
{
	echo "${XDG_CACHE_HOME:-$HOME/.cache}/ndpdk"
}

# run_logged LOG COMMAND...: write the output to LOG, and print its end only if the command fails.
run_logged()
{
	local log=$1
	shift
	"$@" >"$log" 2>&1 || {
		tail -n 60 "$log"
		fail "$*"
	}
}

# copy_sources FOLDER [PATH...]: copy the files that git tracks or would add.
copy_sources()
{
	local folder=$1
	shift
	mkdir -p "$folder"
	git ls-files -z --cached --others --exclude-standard -- "$@" |
		xargs -0 tar cf - | tar xf - -C "$folder"
}

# make_root SUITE FOLDER: make a minimal Debian root, from the cache if possible.
make_root()
{
	local suite=$1 folder=$2 archive
	archive=$(cache_folder)/$suite.tar
	if [ ! -e "$archive" ]; then
		mkdir -p "$(cache_folder)"
		run_logged "$folder.log" debootstrap --variant=minbase "$suite" "$folder"
		tar cf "$archive.new" -C "$folder" .
		mv "$archive.new" "$archive"
	else
		mkdir "$folder"
		tar xf "$archive" -C "$folder"
	fi
	cp /etc/resolv.conf "$folder/etc/resolv.conf"
}

# in_root FOLDER: run the script on standard input in the root, in a separate mount namespace, so
# that no mount remains.
in_root()
{
	local folder=$1
	{
		# shellcheck disable=SC2016
		cat <<'BEGIN'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 HOME=/root
unset XDG_RUNTIME_DIR
apt_install()
{
	apt-get install -y -qq --no-install-recommends "$@" >/tmp/apt.log 2>&1 || {
		tail -n 30 /tmp/apt.log
		return 1
	}
}
apt-get update -qq
BEGIN
		cat
	} >"$folder/script"
	unshare -m --propagation private bash -e -c '
		mount -t proc proc "$1/proc"
		mount --rbind /sys "$1/sys"
		mount --rbind /dev "$1/dev"
		exec chroot "$1" bash /script' bash "$folder"
}
