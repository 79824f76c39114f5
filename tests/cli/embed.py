#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Programs that embed the installed libraries, compiled with the flags of pkg-config.

usage: embed.py MESON BUILD DOCUMENT EXAMPLE.c COMPILER...

BUILD is installed into a temporary folder with all libraries, and into a second folder without the
shared libraries. In the second folder --static must be sufficient to link the archives. In the
first folder the command of DOCUMENT must link the archives although the shared libraries are
installed. Installed programs must find the installed libraries, and the pkg-config files of BUILD
must name the libraries of BUILD. Links of the installed documents must lead to installed files.
Exits with 0, or with 1 after printing what was wrong.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

from program import EAL, check, failures

TRACE = """
#include <ndpdk/nd_trace.h>

int
main(void)
{
	unsigned char frame[60] = {0};
	struct nd_trace_totals totals;
	struct nd_trace *trace = nd_trace_open(NULL);

	nd_trace_frame(trace, 0, frame, sizeof(frame), sizeof(frame));
	nd_trace_totals(trace, &totals);
	nd_trace_close(trace);
	return totals.frames == 1 ? 0 : 1;
}
"""

# Call functions of both libraries, because their archives have some objects in common.
BOTH = """
#include <rte_eal.h>
#include <ndpdk/nd.h>
#include <ndpdk/nd_trace.h>

int
main(int argc, char **argv)
{
	struct nd_adapter_config config = {.port_id = 0};
	struct nd_adapter *adapter;

	nd_trace_close(nd_trace_open(NULL));
	if (rte_eal_init(argc, argv) < 0)
		return 1;
	return nd_adapter_open(&config, &adapter) == ND_SUCCESS ? 1 : 0;
}
"""


def run(command, **options):
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


def install(meson, build, folder):
    """Install below a folder and adapt the pkg-config files. @return folder of the pkg-config
    files"""
    command = [meson, "install", "-C", build, "--no-rebuild", "--quiet"]
    command += ["--tags", "devel,runtime,doc"]
    result = run(command + ["--destdir", folder])
    if result.returncode != 0:
        sys.exit("embed.py: meson install: " + result.stdout + result.stderr)
    found = glob.glob(folder + "/**/pkgconfig/libndpdk*.pc", recursive=True)
    for path in found:
        with open(path) as file:
            text = file.read()
        with open(path, "w") as file:
            file.write(re.sub(r"^prefix=", "prefix=" + folder, text, flags=re.M))
    names = sorted(os.path.basename(path) for path in found)
    expected = ["libndpdk%s.pc" % part for part in ("-ndk", "-spi", "-trace", "")
                if os.path.exists("%s/lib/libndpdk%s.so" % (build, part))]
    check(names == expected, "installed: %s" % names)
    return os.path.dirname(found[0])


class Prefix:
    """An installation, and the programs compiled against it."""

    def __init__(self, folder, pkgconfig, compiler, static, library_folder=None):
        self.folder = folder
        self.environment = dict(os.environ, PKG_CONFIG_PATH=pkgconfig)
        self.library_folder = library_folder or os.path.dirname(pkgconfig)
        self.compiler = compiler
        self.options = ["--static"] if static else []
        self.libs = None

    def pkg_config(self, *arguments):
        result = run(["pkg-config", *self.options, *arguments], env=self.environment)
        check(result.returncode == 0, "pkg-config %s: %s" % (arguments, result.stderr))
        return result.stdout.split()

    def program(self, source, *packages):
        """Compile a program. @return (path, shared libraries that it needs), or None"""
        path = os.path.join(self.folder, "program")
        flags = self.pkg_config("--cflags", "--libs", *packages)
        if self.libs is not None:
            command = self.libs.replace(" libndpdk ", " %s " % " ".join(packages))
            libs = run(["sh", "-c", command], env=self.environment).stdout.split()
            flags = self.pkg_config("--cflags", *packages) + libs
        result = run(self.compiler + [source, "-o", path] + flags)
        text = "%s with %s %s: %s" % (source, packages, self.options, result.stderr)
        check(result.returncode == 0, text)
        if result.returncode != 0:
            return None
        dynamic = run(["readelf", "-d", path]).stdout
        return path, re.findall(r"\(NEEDED\)\s+Shared library: \[([^\]]+)\]", dynamic)

    def run(self, path, *arguments):
        environment = dict(self.environment, LD_LIBRARY_PATH=self.library_folder)
        result = run([path, *arguments], env=environment, timeout=60)
        text = "%s %s: exit status %d: %s"
        check(result.returncode == 0, text % (path, self.options, result.returncode, result.stderr))


def check_needed(name, needed, expected, pattern):
    """Check that exactly the expected libraries match the pattern."""
    matching = sorted(entry for entry in needed if re.match(pattern, entry))
    check(matching == expected, "%s needs %s instead of %s" % (name, matching, expected))


def check_named(prefix):
    """Check that pkg-config lists the libraries that the shared library needs, and no other DPDK
    libraries."""
    library = os.path.join(prefix.library_folder, "libndpdk.so.0")
    needed = re.findall(r"\[lib([\w+-]+)\.so", run(["readelf", "-d", library]).stdout)
    needed = {name for name in needed if name != "c"} - {"ndpdk"}
    check("rte_ethdev" in needed, "%s needs %s" % (library, needed))
    result = run(["pkg-config", "--static", "--libs", "libndpdk"], env=prefix.environment)
    named = {word[2:] for word in result.stdout.split() if word.startswith("-l")} - {"ndpdk"}
    # The requirements of these two static libraries depend on their version, such as libatomic for
    # libnuma.
    result = run(["pkg-config", "--static", "--libs", "numa", "libisal"])
    theirs = {word[2:] for word in result.stdout.split() if word.startswith("-l")}
    check(
        needed <= named <= needed | theirs,
        "needed: %s\nnamed: %s" % (sorted(needed), sorted(named)),
    )
    public = [word for word in prefix.pkg_config("--libs", "libndpdk") if word.startswith("-l")]
    check(public == ["-lndpdk", "-lrte_eal"], "named without --static: %s" % public)


def check_prefix(prefix, example, folder, own):
    """Check an installation. own: shared libraries of ndpdk that a program may need, by package"""
    for package in ("libndpdk", "libndpdk-trace"):
        for option in ("--print-requires", "--print-requires-private"):
            required = prefix.pkg_config(option, package)
            check("libpcap" not in required, "%s requires libpcap: %s" % (package, required))

    compiled = prefix.program(example, "libndpdk")
    if compiled:
        check_needed("example", compiled[1], own["libndpdk"], "libndpdk|libpcap")

    source = os.path.join(folder, "trace.c")
    with open(source, "w") as file:
        file.write(TRACE)
    compiled = prefix.program(source, "libndpdk-trace")
    if compiled:
        check_needed("trace.c", compiled[1], own["libndpdk-trace"], "libndpdk|libpcap|librte_eal")
        prefix.run(compiled[0])

    source = os.path.join(folder, "both.c")
    with open(source, "w") as file:
        file.write(BOTH)
    compiled = prefix.program(source, "libndpdk-trace", "libndpdk")
    if compiled:
        both = sorted(own["libndpdk"] + own["libndpdk-trace"])
        check_needed("both.c", compiled[1], both, "libndpdk|libpcap")
        prefix.run(compiled[0], *EAL)


def check_found(folder):
    """Check that installed programs and libraries find the installed libraries under any prefix."""
    environment = {name: os.environ[name] for name in os.environ if name != "LD_LIBRARY_PATH"}
    paths = glob.glob(folder + "/**/bin/nd*", recursive=True)
    paths += glob.glob(folder + "/**/libndpdk*.so", recursive=True)
    for path in paths:
        if "/bin/" in path and not path.endswith("exporter"):
            result = run([path, "--version"], env=environment)
            text = "%s --version: exit status %d: %s"
            check(result.returncode == 0, text % (path, result.returncode, result.stderr))
        listed = run(["ldd", path], env=environment).stdout
        for found in re.findall(r"libndpdk\S* => (.*)", listed):
            check(found.startswith(folder), "%s finds %s" % (path, found))


def check_documents(folder):
    """Check that each link from an installed document to a file leads to an installed file."""
    paths = glob.glob(folder + "/**/*.md", recursive=True)
    count = 0
    for path in paths:
        with open(path, encoding="utf-8") as file:
            links = re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", file.read())
        for link in links:
            if ":" in link:
                continue
            count += 1
            found = os.path.exists(os.path.join(os.path.dirname(path), link))
            check(found, "%s links to %s, which is not installed" % (path, link))
    check(len(paths) > 20 and count > 50, "%d documents, %d links" % (len(paths), count))


def archives_command(document):
    """@return the command to link the archives although shared libraries are installed"""
    with open(document, encoding="utf-8") as file:
        return re.search(r"`(pkg-config --static --libs libndpdk \|[^`]*)`", file.read()).group(1)


def main():
    if len(sys.argv) < 6:
        sys.exit(__doc__.strip())
    meson, build, document, example = sys.argv[1:5]
    compiler = sys.argv[5:]
    with tempfile.TemporaryDirectory() as folder:
        shared = os.path.join(folder, "shared")
        pkgconfig = install(meson, build, shared)
        own = {"libndpdk": ["libndpdk.so.0"], "libndpdk-trace": ["libndpdk-trace.so.0"]}
        prefix = Prefix(shared, pkgconfig, compiler, False)
        check_named(prefix)
        check_prefix(prefix, example, folder, own)
        check_found(shared)
        check_documents(shared + "/usr/local/share/doc/ndpdk")
        tree = Prefix(folder, build + "/meson-uninstalled", compiler, False, build + "/lib")
        check_prefix(tree, example, folder, own)
        none = {"libndpdk": [], "libndpdk-trace": []}
        archives = Prefix(shared, pkgconfig, compiler, True)
        archives.libs = archives_command(document)
        check_prefix(archives, example, folder, none)

        static = os.path.join(folder, "static")
        pkgconfig = install(meson, build, static)
        for path in glob.glob(os.path.dirname(pkgconfig) + "/libndpdk*.so*"):
            os.remove(path)
        check_prefix(Prefix(static, pkgconfig, compiler, True), example, folder, none)
    if not failures:
        print("programs link with both libraries, shared and static")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
