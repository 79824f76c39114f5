#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check the house rules of the project.

usage: tidy.py SOURCE_ROOT

Prints one line `file:line: rule: text` per offence and exits with 1 if there was any. Every rule is
a function that is registered with @rule and yields (path, line, text). tidy_selftest.py proves that
each rule can fail.
"""

import collections
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import rules as numbered  # noqa: E402

# Reviewed exceptions, as (path, rule). An unused exception is an offence.
EXCEPTIONS = {
    # libFuzzer defines the signature of these functions.
    ("tests/fuzz/fuzzer.h", "parameter-count"),
    ("tests/fuzz/fuzz_records.c", "parameter-count"),
    # Network Direct defines the names of these structures.
    ("include/facade/ndpdk/ndspi_interface.h", "struct-typedef"),
    ("include/facade/ndpdk/ndspi_types.h", "struct-typedef"),
    ("include/facade/ndpdk/ndspi_v2_connection.h", "function-length"),
    # No file includes this header, because the compiler option -include includes it.
    ("tests/tsan/ring_order.h", "dead-file"),
    # This file implements ExitProcess(), which must call exit().
    ("lib/facade/win/thread.c", "banned-token"),
    # Programs for the kernel interface use these type names.
    ("include/facade/ndpdk/ndk_types.h", "struct-typedef"),
}

FUNCTION_LINES_MAX = 70  # maximum number of lines from the name to the closing brace
FILE_LINES_MAX = {".c": 700, ".h": 300}
# Maximum number of parameters, except for functions whose parameters Network Direct defines.
PARAMETERS_MAX = 6
COLUMNS_MAX = 100
TAB_COLUMNS = 8

# Maps each module to the modules from which it may include headers, directly or indirectly.
# lib/meson.build has the same dependencies for linking.
MODULES = {
    "base": [],
    "wire": ["base"],
    "mem": ["base"],
    "cc": ["base"],
    "rc": ["wire", "mem", "cc"],
    "cm": ["wire"],
    "neigh": ["wire"],
    "trace": ["wire"],
    "port": ["wire"],
    "engine": ["rc", "cm", "neigh", "port", "mem"],
    "nd": ["engine"],
    "win": ["base"],
    "spi": ["win"],
    # The module ndk is linked with nd, but includes only the public headers of nd.
    "ndk": ["base"],
}

# Modules without I/O, clock, threads and logging may include only these headers. None of these
# headers gives access to a clock or device. Therefore these modules can be tested in virtual time
# and can replay captures.
C_HEADERS_OF_CORE = set("""
    assert.h ctype.h errno.h inttypes.h limits.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h
    stdint.h stdio.h stdlib.h string.h
""".split())
DPDK_HEADERS_OF_BASE = set("""
    rte_bitops.h rte_branch_prediction.h rte_byteorder.h rte_common.h rte_compat.h rte_config.h
    rte_prefetch.h rte_version.h
""".split())
DPDK_HEADERS_OF_PACKETS = set("""
    rte_arp.h rte_ether.h rte_ip.h rte_mbuf.h rte_mbuf_core.h rte_memcpy.h rte_mempool.h rte_udp.h
    rte_vect.h
""".split())
# rte_spinlock.h serialises the control calls of other threads. Readers on the lcores never lock.
DPDK_HEADERS_OF_MEMORY = set("""
    rte_atomic.h rte_malloc.h rte_rcu_qsbr.h rte_spinlock.h
""".split())
CORE_HEADERS = {
    "base": DPDK_HEADERS_OF_BASE,
    # arpa/inet.h: inet_ntop and inet_pton are pure text conversions.
    "wire": DPDK_HEADERS_OF_BASE
    | DPDK_HEADERS_OF_PACKETS
    | {"arpa/inet.h", "isa-l.h", "isa-l/crc.h"},
    # Tables are in separate mappings. Control calls that take long exclude each other by a mutex.
    "mem": DPDK_HEADERS_OF_BASE
    | DPDK_HEADERS_OF_MEMORY
    | {"numa.h", "pthread.h", "rte_memcpy.h", "rte_memory.h", "rte_pause.h", "sys/mman.h"}
    | {"unistd.h"},
    "cc": DPDK_HEADERS_OF_BASE,
    "rc": DPDK_HEADERS_OF_BASE
    | DPDK_HEADERS_OF_PACKETS
    | DPDK_HEADERS_OF_MEMORY
    | {"rte_jhash.h"},
    "cm": DPDK_HEADERS_OF_BASE | DPDK_HEADERS_OF_PACKETS | DPDK_HEADERS_OF_MEMORY,
    # netinet/in.h: protocol numbers of IP.
    "neigh": DPDK_HEADERS_OF_BASE
    | DPDK_HEADERS_OF_PACKETS
    | DPDK_HEADERS_OF_MEMORY
    | {"netinet/in.h", "rte_icmp.h"},
    "trace": DPDK_HEADERS_OF_BASE | DPDK_HEADERS_OF_PACKETS,
}

# Modules that may include public headers: nd implements all of them, trace implements its own.
PUBLIC_HEADERS_OF = {
    "nd": re.compile(r"ndpdk/.*"),
    "ndk": re.compile(r"ndpdk/.*"),
    "trace": re.compile(r"ndpdk/nd_(trace|model)\w*\.h"),
    "win": re.compile(r"ndpdk/win/\w+\.h"),
    "spi": re.compile(r"ndpdk/(win/\w+|nd\w*)\.h"),
}

# Headers that an application may include besides <ndpdk/...>, <rte_...> and its own headers.
APPLICATION_HEADERS = C_HEADERS_OF_CORE | set("""
    arpa/inet.h cmdline.h cmdline_parse.h cmdline_parse_string.h cmdline_rdline.h errno.h fcntl.h
    float.h getopt.h json-c/json.h json.h locale.h math.h netinet/in.h openssl/evp.h openssl/rand.h
    pcap.h pcap/dlt.h pcap/pcap.h poll.h pthread.h sched.h signal.h spawn.h stdnoreturn.h strings.h
    sys/eventfd.h sys/mman.h sys/queue.h sys/socket.h sys/stat.h sys/time.h sys/types.h sys/un.h
    sys/wait.h termios.h time.h unistd.h zlib.h
""".split())
# Folders of an application that must not know each other -> folders that they may include.
APPLICATION_FOLDERS = {
    "apps/ndreplay/capture": [],
    "apps/ndreplay/judge": ["apps/ndreplay/capture"],
    "apps/ndreplay/player": ["apps/ndreplay/capture"],
}
# Headers that a public header may include besides <ndpdk/...>.
PUBLIC_HEADERS = set("""
    assert.h errno.h inttypes.h limits.h netinet/in.h stdbool.h stddef.h stdint.h sys/socket.h
    sys/uio.h
""".split())
# Replacements of Windows headers. They may use typedefs for structures, and include POSIX headers.
WINDOWS_FOLDER = "include/facade/ndpdk/win"
WINDOWS_HEADERS = PUBLIC_HEADERS | set("""
    arpa/inet.h cstdio ctype.h cwchar netdb.h pthread.h stdarg.h stdio.h stdlib.h string.h strings.h
    wchar.h wctype.h
""".split())

# Forbidden in lib/, outside comments and strings. A library must not print or end the process.
BANNED_CALLS = re.compile(
    r"\b(rand|srand|sprintf|vsprintf|strcpy|strcat|gets|alloca|printf|fprintf|puts|putchar|perror"
    r"|exit|rte_exit|rte_panic)\s*\("
)
BANNED_WORDS = re.compile(r"\bvolatile\b")
# Forbidden in the modules of CORE_HEADERS, because other headers include clock, lcore and log.
BANNED_IN_CORE = re.compile(
    r"\b(rte_rdtsc\w*|rte_get_\w*(?:cycles|hz)|rte_delay_\w+|rte_lcore_id|rte_log\w*|RTE_LOG\w*"
    r"|clock_gettime|time|getrandom|rte_rand\w*|pthread_create|sleep|usleep|read|write)\s*\("
)
VAGUE_NAMES = {"util", "utils", "common", "misc", "helper", "helpers"}

# This text is built from parts, because this file must not contain it.
MARKERS = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX"]) + r")\b")
WORKPLACE = re.compile(
    r"\.\./" + r"shared\b|(?<![\w./-])/" + r"work/|/tmp/" + r"bash_jobs|\b[Ii]ssue"
    r" #?[0-9]"
)

# A name that looks like a file of the project in a comment or document. Headers in angle brackets
# and files that a program writes (<...>, $..., *...) are excluded.
FILE_REFERENCE = re.compile(
    r"(?<![\w$%{}*<>.~/-])((?:[\w.-]+/)*[\w-]+\.(?:c|h|py|md|sh))\b(?![\w*/(])"
)
# Files of Linux, DPDK and the C library whose names comments and documents may use.
FOREIGN_FILES = re.compile(
    r"(?:cm|cma|ucma|verbs|ib_cm|rxe_\w+)\.[ch]|(?:rte_|linux/|sys/|net/|netinet/|arpa/|rdma/|"
    r"infiniband/|isa-l/|openssl/|pcap/)[\w/]+\.h|(?:pthread|pcap|ndspi|ndkpi|ndstatus)\.h"
    r"|dpdk-[\w-]+\.py|[\w/]*(?:NOUN|FILE)\.[ch]"  # placeholders in instructions
)

# Words of docs/style.md that a program can find.
DIALECT = re.compile(
    r"\b(?:is|are|was|were) played\b|\b[Gg]oe?s? on\b|\bstands? still\b|\bwhat it is of\b"
    r"|\b(?:arrives?|comes?|sent|posted|captured|received|follows?)\s+(?:behind|in front of)\b"
)
PRODUCT = ("apps/", "examples/", "include/", "lib/")
# Files that programs write or read, and docs/style.md, which quotes the words.
GENERATED = ("docs/conformance.md", "docs/facade/mutations.md", "docs/interop.md",
             "docs/mutations.md", "docs/rules.md", "docs/simulated.md", "docs/style.md")

CODE_SUFFIXES = (".c", ".h")
SCRIPT_SUFFIXES = (".py", ".sh", "meson.build", "meson_options.txt")
# Commands that may end before they have read all input.
# Then the command that writes gets SIGPIPE, and under `set -o pipefail` the pipe fails.
SHORT_READER = re.compile(
    r"\|\s*(?:head\b|[efz]?grep\s+(?:-\w+\s+)*-\w*[qm]|sed\b[^|\n]*[;\d/{]q\b"
    r"|awk\b[^|\n]*\bexit\b)"
)
SPDX = "SPDX-License-Identifier: BSD-3-Clause"
COPYRIGHT = "Copyright (c) 2026 ndpdk authors"

Function = collections.namedtuple("Function", "name line end_line parameter_count is_definition")

RULES = {}


def rule(name):
    """Register a check under the name that is printed with its offences."""

    def register(check):
        RULES[name] = check
        return check

    return register


class File:
    """One file of the project, with properties that several rules need."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.lines = text.split("\n")
        if self.lines[-1] == "":
            self.lines.pop()
        self.folder, self.name = os.path.split(path)
        self.suffix = os.path.splitext(path)[1]
        self.is_code = self.suffix in CODE_SUFFIXES
        self.is_script = path.endswith(SCRIPT_SUFFIXES) or text.startswith("#!")
        parts = path.split("/")
        self.area = parts[0] if len(parts) > 1 else ""
        module = 2 if parts[1:2] == ["facade"] else 1
        self.module = parts[module] if self.area == "lib" and len(parts) > module + 1 else None
        self.code = without_comments_and_strings(text) if self.is_code else text
        self.includes = list(includes_of(text)) if self.is_code else []
        self.functions = list(functions_of(self.code)) if self.is_code else []

    def is_core(self):
        return self.module in CORE_HEADERS


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def without_comments_and_strings(text):
    """Replace comments and contents of strings and character constants by spaces. Keeps all
    offsets."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''

    def replace(match):
        token = match.group(0)
        if token[0] == "/":
            return blank(match)
        return token[0] + " " * (len(token) - 2) + token[-1]

    return re.sub(pattern, replace, text, flags=re.S)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def includes_of(text):
    """Yield (line, "<" or '"', path)."""
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)[>"]', line)
        if match:
            yield number, match.group(1), match.group(2)


def matching(text, position, opening, closing):
    """Return the position of the bracket that closes the bracket at position, or the end of the
    text."""
    depth = 0
    for index in range(position, len(text)):
        if text[index] == opening:
            depth += 1
        elif text[index] == closing:
            depth -= 1
            if depth == 0:
                return index
    return len(text) - 1


def functions_of(code):
    """Yield the functions that are defined or declared outside braces."""
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, code, flags=re.M)
    code = re.sub(r'extern\s+"[^"]*"\s*\{', blank, code)
    start = position = 0
    while position < len(code):
        character = code[position]
        if character == "(":
            position = matching(code, position, "(", ")")
        elif character in ";{":
            end = matching(code, position, "{", "}") if character == "{" else position
            function = function_of_chunk(code, start, position, end)
            if function:
                yield function
            start = position = end
            start += 1
        elif character == "}":
            start = position + 1
        position += 1


def function_of_chunk(code, start, stop, end):
    """Return the function with the declarator code[start:stop] and the last character code[end]."""
    chunk = code[start:stop]
    if "=" in chunk:
        return None
    for match in re.finditer(r"\b([A-Za-z_]\w*)\s*\(", chunk):
        name = match.group(1)
        if name.startswith("__") or name in ("static_assert", "_Static_assert", "alignas"):
            continue
        opening = start + match.end() - 1
        if code[opening + 1 :].lstrip().startswith("*"):
            return None  # pointer to function
        is_definition = code[stop] == "{"
        if name.isupper() and not is_definition:
            return None  # This is a macro at file level.
        parameters = code[opening + 1 : matching(code, opening, "(", ")")]
        count = 0 if parameters.strip() in ("", "void") else count_parameters(parameters)
        first_line = line_of(code, start + match.start())
        return Function(name, first_line, line_of(code, end), count, is_definition)
    return None


def count_parameters(parameters):
    depth = 0
    count = 1
    for character in parameters:
        depth += {"(": 1, ")": -1, "[": 1, "]": -1}.get(character, 0)
        if character == "," and depth == 0:
            count += 1
    return count


def files_of(root):
    """Yield all text files of the project: files that git tracks or would track, or all without
    git."""
    try:
        listing = subprocess.run(
            ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ).stdout.decode()
        paths = [path for path in listing.split("\0") if path]
    except (OSError, subprocess.CalledProcessError):
        paths = []
        for folder, folders, names in os.walk(root):
            folders[:] = [f for f in folders if f not in (".git", "__pycache__")]
            if folder == root:
                folders[:] = [f for f in folders if not f.startswith("build")]
            paths += [os.path.relpath(os.path.join(folder, name), root) for name in names]
    for path in sorted(set(paths)):
        full = os.path.join(root, path)
        if not os.path.isfile(full):
            continue
        with open(full, "rb") as stream:
            data = stream.read()
        try:
            yield File(path, data.decode())
        except UnicodeDecodeError:
            if path.endswith(CODE_SUFFIXES + SCRIPT_SUFFIXES):
                yield File(path, data.decode(errors="replace"))


@rule("spdx")
def check_spdx(files):
    for file in files:
        if file.is_code:
            expected = ["/* %s */" % SPDX, "/* %s */" % COPYRIGHT]
            if file.lines[:2] != expected:
                yield file.path, 1, "the file does not start with the two lines of the licence"
        elif file.is_script:
            lines = file.lines[1:] if file.text.startswith("#!") else file.lines
            if lines[:2] != ["# " + SPDX, "# " + COPYRIGHT]:
                yield file.path, 1, "the file does not start with the two lines of the licence"


@rule("file-length")
def check_file_length(files):
    for file in files:
        limit = FILE_LINES_MAX.get(file.suffix)
        if limit and len(file.lines) > limit:
            yield file.path, len(file.lines), "%d lines, limit %d" % (len(file.lines), limit)


@rule("function-length")
def check_function_length(files):
    for file in files:
        for function in file.functions:
            lines = function.end_line - function.line + 1
            if function.is_definition and lines > FUNCTION_LINES_MAX:
                text = "%s has %d lines, limit %d" % (function.name, lines, FUNCTION_LINES_MAX)
                yield file.path, function.line, text


def has_interface(file, function):
    """Return whether Network Direct defines the parameters of a function."""
    return function.name.startswith(("nd_", "ndk_", "entry_")) or file.module == "spi"


@rule("parameter-count")
def check_parameter_count(files):
    for file in files:
        for function in file.functions:
            if function.parameter_count > PARAMETERS_MAX and not has_interface(file, function):
                text = "%s has %d parameters, limit %d" % (
                    function.name,
                    function.parameter_count,
                    PARAMETERS_MAX,
                )
                yield file.path, function.line, text


@rule("line-length")
def check_line_length(files):
    for file in files:
        if not (file.is_code or file.is_script):
            continue
        for number, line in enumerate(file.lines, 1):
            columns = len(line.expandtabs(TAB_COLUMNS))
            if columns > COLUMNS_MAX:
                yield file.path, number, "%d columns, limit %d" % (columns, COLUMNS_MAX)


def is_written_by_hand(file):
    return file.path.endswith(".md") and file.path not in GENERATED


@rule("document-line")
def check_document_lines(files):
    """Check paragraphs and lists. Tables, code blocks and output of programs cannot be wrapped."""
    for file in files:
        if not is_written_by_hand(file):
            continue
        is_fenced = is_printed = False
        for number, line in enumerate(file.lines, 1):
            is_fenced ^= line.startswith("```")
            if line.startswith("<!--"):
                is_printed = "begin" in line
            is_text = not (is_fenced or is_printed or line.startswith(("|", "    ")))
            if is_text and len(line) > COLUMNS_MAX:
                yield file.path, number, "%d columns, limit %d" % (len(line), COLUMNS_MAX)


@rule("words")
def check_words(files):
    for file in files:
        if is_written_by_hand(file) or file.path.startswith(PRODUCT):
            for offset, text in comments_of(file):
                for match in DIALECT.finditer(text):
                    words = " ".join(match.group(0).split())
                    text_of_rule = "'%s': see docs/style.md" % words
                    yield file.path, line_of(file.text, offset + match.start()), text_of_rule


@rule("white-space")
def check_white_space(files):
    for file in files:
        for number, line in enumerate(file.lines, 1):
            if line != line.rstrip():
                yield file.path, number, "white space at the end of the line"
        if file.text and not file.text.endswith("\n"):
            yield file.path, len(file.lines), "no newline at the end of the file"


@rule("include-guard")
def check_include_guard(files):
    owners = {}
    for file in files:
        if file.suffix != ".h":
            continue
        match = re.search(r"^#ifndef (\w+)\n#define (\w+)\n", file.text, flags=re.M)
        if re.search(r"^\s*#\s*pragma\s+once", file.text, flags=re.M):
            yield file.path, 1, "#pragma once instead of an include guard"
            continue
        if not match or match.group(1) != match.group(2):
            yield file.path, 1, "no include guard"
            continue
        guard = match.group(1)
        number = line_of(file.text, match.start())
        expected = guards_of(file)
        if guard not in expected:
            yield file.path, number, "include guard %s instead of %s" % (guard, expected[0])
        if guard in owners:
            yield file.path, number, "include guard %s is that of %s" % (guard, owners[guard])
        owners[guard] = file.path


def guards_of(file):
    """Return the include guards that a header may have. The first is recommended."""
    stem = re.sub(r"\W", "_", file.name[:-2]).upper()
    if file.area == "include":
        if file.folder == WINDOWS_FOLDER:
            return ["NDPDK_%s_H" % stem, "NDPDK_WIN_%s_H" % stem]
        return ["NDPDK_%s_H" % stem]
    folder = re.sub(r"\W", "_", os.path.basename(file.folder)).upper()
    whole = re.sub(r"\W", "_", file.folder).upper()
    # lib/nd/cq.h and include/ndpdk/nd_cq.h would have the same first form, so there are other
    # forms.
    forms = ["NDPDK_%s_%s_H", "NDPDK_%s_%s_INTERNAL_H"]
    return [form % (folder, stem) for form in forms] + ["NDPDK_%s_%s_H" % (whole, stem)]


def reachable(module):
    """Return the modules that a module may include."""
    found = {module}
    todo = [module]
    while todo:
        for lower in MODULES.get(todo.pop(), []):
            if lower not in found:
                found.add(lower)
                todo.append(lower)
    return found


@rule("include-direction")
def check_include_direction(files):
    paths = {file.path for file in files}
    for file in files:
        if file.area == "lib":
            yield from check_library_includes(file, paths)
        elif file.area == "include":
            yield from check_public_includes(file)
        elif file.area == "apps":
            yield from check_application_includes(file, paths)


def check_library_includes(file, paths):
    if file.is_code and file.module not in MODULES:
        yield file.path, 1, "lib/%s is no module of tests/tidy.py" % file.module
        return
    for number, kind, path in file.includes:
        if kind == '"':
            module = path.split("/")[0]
            if "lib/" + path not in paths and "lib/facade/" + path not in paths:
                yield file.path, number, '"%s" is not below lib/' % path
            elif module not in reachable(file.module):
                text = '%s must not include "%s": includes point down only' % (file.module, path)
                yield file.path, number, text
        elif path.startswith("ndpdk/"):
            known = PUBLIC_HEADERS_OF.get(file.module)
            if not known or not known.fullmatch(path):
                yield file.path, number, "%s must not know <%s>" % (file.module, path)
        elif file.is_core() and path not in CORE_HEADERS[file.module] | C_HEADERS_OF_CORE:
            text = "<%s> is not for %s: no I/O, clock, thread or log" % (path, file.module)
            yield file.path, number, text


def check_public_includes(file):
    headers = WINDOWS_HEADERS if file.folder == WINDOWS_FOLDER else PUBLIC_HEADERS
    for number, kind, path in file.includes:
        if kind == '"' or not (path.startswith("ndpdk/") or path in headers):
            text = "a public header includes C headers and <ndpdk/...> only, not %s" % path
            yield file.path, number, text


def check_application_includes(file, paths):
    for number, kind, path in file.includes:
        if kind == '"':
            own = ["%s/%s" % (file.folder, path), "apps/" + path]
            allowed = any(candidate in paths for candidate in own)
            folder = os.path.dirname(own[1])
            own_folders = [file.folder] + APPLICATION_FOLDERS.get(file.folder, [folder])
            if folder in APPLICATION_FOLDERS and folder not in own_folders:
                yield file.path, number, "%s must not include headers of %s" % (file.folder, folder)
        else:
            allowed = path.startswith(("ndpdk/", "rte_")) or path in APPLICATION_HEADERS
        if not allowed:
            text = "%s: applications include <ndpdk/...>, C, DPDK and json-c headers" % path
            yield file.path, number, text
    if file.name == "meson.build":
        names = "|".join(list(MODULES) + ["ndpdk_static"])
        for match in re.finditer(r"\b(?:(?:%s)_dep|lib_inc)\b" % names, file.text):
            text = "%s: applications use ndpdk_dep, not the inside of lib/" % match.group(0)
            yield file.path, line_of(file.text, match.start()), text


@rule("banned-token")
def check_banned_tokens(files):
    for file in files:
        if file.area != "lib" or not file.is_code:
            continue
        patterns = [BANNED_CALLS, BANNED_WORDS] + ([BANNED_IN_CORE] if file.is_core() else [])
        for pattern in patterns:
            for match in pattern.finditer(file.code):
                text = "%s is banned in %s" % (match.group(0).rstrip("( \t"), file.folder)
                yield file.path, line_of(file.code, match.start()), text


@rule("leftover")
def check_leftovers(files):
    for file in files:
        for number, line in enumerate(file.lines, 1):
            match = MARKERS.search(line)
            if match:
                yield file.path, number, "leftover marker " + match.group(0)


@rule("empty-doc")
def check_empty_doc(files):
    for file in files:
        if file.is_code:
            for match in re.finditer(r"/\*[\s*]*\*/", file.text):
                yield file.path, line_of(file.text, match.start()), "empty comment"


@rule("comment-slash")
def check_comment_slash(files):
    for file in files:
        if file.is_code:
            for match in re.finditer(r"^[ \t]*(?:/?\*.*[.:;)]|\*) /$", file.text, re.M):
                yield file.path, line_of(file.text, match.start()), "stray / ends the line"


def declarations_of(code):
    """Yield (start, end) of each declaration and definition outside braces in a public header."""
    code = re.sub(r"^[ \t]*#ifdef __cplusplus.*?^[ \t]*#endif", blank, code, flags=re.M | re.S)
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, code, flags=re.M)
    start, depth = None, 0
    for position, letter in enumerate(code):
        if start is None and not letter.isspace():
            start = position
        depth += (letter == "{") - (letter == "}")
        ends_function = letter == "}" and ")" in code[start:position].partition("{")[0]
        if depth == 0 and start is not None and (letter == ";" or ends_function):
            yield start, position + 1
            start = None


def members_of(code, start, end):
    """If a structure is defined in this range, yield (start, end) of each member."""
    attribute = r"(?:\(+[^;)]*\)+[^;({]*)?"
    if not re.match(r"(?:struct|union)\b[^;({]*%s\{" % attribute, code[start:end]):
        return
    position = code.index("{", start) + 1
    for match in re.finditer(r"[^;{}\s][^;]*;", code[position : code.rindex("}", start, end)]):
        yield position + match.start(), position + match.end()


@rule("public-doc")
def check_public_doc(files):
    for file in files:
        if file.area != "include" or file.suffix != ".h":
            continue
        for start, end in declarations_of(file.code):
            name = re.search(r"\b(ndk?_\w+)\s*\(", file.code[start:end].partition("{")[0])
            before = file.text[:start].rstrip()
            comment = before[before.rfind("/*") :]
            # The inline function that calls a function of this name has the comment.
            called = name and name.group(1).endswith("_sized")
            if name and not called and not (
                comment.startswith("/**") and comment.endswith("*/")
            ):
                text = "%s() has no comment that says what it does" % name.group(1)
                yield file.path, line_of(file.code, start), text
            members = list(members_of(file.code, start, end))
            for number, (first, last) in enumerate(members):
                above = members[number - 1][1] if number else file.code.index("{", start)
                below = members[number + 1][0] if number + 1 < len(members) else end
                if not (
                    re.search(r"/\*\*(?!<)", file.text[above:first])
                    or re.match(r"\s*/\*\*<", file.text[last:below])
                ):
                    yield file.path, line_of(file.code, first), "a public member without comment"


@rule("bit-field")
def check_bit_fields(files):
    for file in files:
        if file.module != "wire":
            continue
        member = r"^[ \t]+(?:\w+[ \t]+)+\w*[ \t]*:[ \t]*\w+[ \t]*;"
        for match in re.finditer(member, file.code, re.M):
            yield file.path, line_of(file.code, match.start()), "bit-field in lib/wire"


@rule("wire-member")
def check_wire_members(files):
    for file in files:
        if file.module != "wire":
            continue
        for match in re.finditer(r"\bstruct\b[^{};()]*\{([^{}]*)\}\s*__rte_packed", file.code):
            for member in re.finditer(r"[^;]+;", match.group(1)):
                text = member.group(0).strip()
                allowed = r"(uint8_t|rte_be(16|32|64)_t|struct (wire|rte)_\w+)\s+\w+\s*(\[\w+\])?;"
                if not re.fullmatch(allowed, text):
                    start = match.start(1) + member.end() - 1
                    text = "`%s`: bytes and rte_be types only in a packed struct" % text
                    yield file.path, line_of(file.code, start), text


@rule("struct-typedef")
def check_struct_typedef(files):
    for file in files:
        if file.folder == WINDOWS_FOLDER:
            continue
        if file.area in ("lib", "include", "apps") and file.is_code:
            for match in re.finditer(r"\btypedef\s+(struct|union)\b[^;(]*[;{]", file.code):
                yield file.path, line_of(file.code, match.start()), "typedef of a struct"


@rule("file-name")
def check_file_names(files):
    for file in files:
        if file.area == "lib" and file.is_code:
            words = set(re.split(r"[_\W]", file.name[:-2])) | set(file.folder.split("/"))
            vague = sorted(words & VAGUE_NAMES)
            if vague:
                yield file.path, 1, "name a file after its concept, not %s" % vague[0]


@rule("dead-file")
def check_dead_files(files):
    meson = {
        file.folder: re.sub(r"#[^\n]*", "", file.text)
        for file in files
        if file.name == "meson.build"
    }
    included = {
        os.path.normpath(candidate)
        for file in files
        for _, _, path in file.includes
        for candidate in ("lib/" + path, "lib/facade/" + path, "include/" + path,
                          "tests/" + path, "apps/" + path, os.path.join(file.folder, path))
    }
    for file in files:
        if file.suffix == ".c" and not named_in_meson(file, meson):
            yield file.path, 1, "no meson.build names this file"
        is_installed = file.area == "include"
        if file.suffix == ".h" and file.path not in included and not is_installed:
            yield file.path, 1, "no file includes this header"


def named_in_meson(file, meson):
    """Return whether meson.build names a file: as x.c, or test_x.c as test_x or x, or by path."""
    stem = file.name[:-2]
    names = [file.name, stem, stem.partition("_")[2] or stem]
    folder = file.folder
    while True:
        for name in names:
            if re.search(r"['/]%s'" % re.escape(name), meson.get(folder, "")):
                return True
        if not folder:
            return False
        folder = os.path.dirname(folder)


def comments_of(file):
    """Yield (offset, text) of comments and documents."""
    if file.is_code:
        pattern = r"/\*.*?\*/|//[^\n]*"
    elif file.path.endswith(".md"):
        yield 0, file.text
        return
    elif file.is_script:
        pattern = r"(?<!\S)#[^\n]*"
    else:
        return
    for match in re.finditer(pattern, file.text, re.S):
        yield match.start(), match.group(0)


@rule("rule-number")
def check_rule_numbers(files):
    defined = set()
    for file in files:
        if file.path == numbered.DOCUMENT:
            for number in numbered.definitions(file.text):
                if number in defined:
                    yield file.path, 1, "%s is defined twice" % number
                defined.add(number)
    for file in files:
        for number, offset in numbered.citations(file):
            if number not in defined:
                text = "%s is not defined in %s" % (number, numbered.DOCUMENT)
                yield file.path, line_of(file.text, offset), text


@rule("rule-table")
def check_rule_table(files):
    for file in files:
        if file.path == numbered.DOCUMENT:
            parts = numbered.split(file.text)
            if parts is None:
                yield file.path, 1, "the marks round the generated table are missing"
            elif parts[1] != numbered.table(files, numbered.definitions(file.text)):
                line = line_of(file.text, len(parts[0]))
                yield file.path, line, "the table is out of date: run tools/rules"


@rule("rule-tested")
def check_rules_are_tested(files):
    for file in files:
        if file.path == numbered.DOCUMENT:
            for number, offset in numbered.untested(files, file.text):
                text = "%s is named by no test, and its definition does not say why" % number
                yield file.path, line_of(file.text, offset), text


@rule("rule-comment")
def check_rule_comments(files):
    for file in files:
        if file.is_code:
            for offset, comment in comments_of(file):
                if numbered.is_wordless(comment):
                    text = "`%s` says nothing but a number" % comment
                    yield file.path, line_of(file.text, offset), text


@rule("file-reference")
def check_file_references(files):
    ends = set()
    for file in files:
        parts = file.path.split("/")
        ends |= {"/".join(parts[start:]) for start in range(len(parts))}
    for file in files:
        for offset, text in comments_of(file):
            for match in FILE_REFERENCE.finditer(text):
                name = match.group(1)
                if name.startswith("../"):
                    name = os.path.normpath(os.path.join(file.folder, name))
                if name not in ends and not FOREIGN_FILES.fullmatch(name):
                    line = line_of(file.text, offset + match.start())
                    yield file.path, line, "there is no file %s in the project" % name


@rule("workplace")
def check_workplace(files):
    for file in files:
        for number, line in enumerate(file.lines, 1):
            match = WORKPLACE.search(line)
            if match:
                yield file.path, number, "name of the workplace: " + match.group(0)


@rule("pipe")
def check_pipe(files):
    for file in files:
        if not re.match(r"#!.*\b(ba)?sh\b", file.text):
            continue
        for match in SHORT_READER.finditer(file.text):
            yield (file.path, line_of(file.text, match.start()),
                   "a pipe whose reader may end first: " + match.group(0))


def check(root, exceptions=frozenset()):
    """Return all offences below root, sorted: (path, line, rule, text)."""
    files = list(files_of(root))
    offences = []
    used = set()
    for name, checker in RULES.items():
        for path, line, text in checker(files):
            if (path, name) in exceptions:
                used.add((path, name))
            else:
                offences.append((path, line, name, text))
    for path, name in exceptions - used:
        offences.append((path, 1, "exception", "nothing needs the exception from " + name))
    return sorted(offences)


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    offences = check(sys.argv[1], frozenset(EXCEPTIONS))
    for path, line, name, text in offences:
        print("%s:%d: %s: %s" % (path, line, name, text))
    if not offences:
        print("%d rules hold" % len(RULES))
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
