"""Giving up every right that reading a file does not need: the user, files, processes, sockets.

A fault in a parser then leads nowhere, whatever user runs it. Imports nothing but the standard library, because each
program that opens a stranger's file calls it before the first byte is looked at. Protections that the kernel does not
offer are left out; `python -I rights.py` tries what is still possible on this machine, and the doctor reports it.
"""

import ctypes
import fcntl
import json
import os
import platform
import resource
import signal
import socket
import struct
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

PROGRAM = Path(__file__).resolve()
NOBODY = 65_534
PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP = 1, 38, 22

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_EXECUTE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
_FILE_RIGHTS_BY_VERSION = {1: 13, 2: 14, 3: 15, 4: 15}  # how many rights each version of Landlock knows; later: 16
_NEWEST_FILE_RIGHTS = 16
_TCP, _SIGNALS_AND_SOCKETS = 0b11, 0b11
_WITH_NET, _WITH_SCOPES = 4, 6

_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000  # the second returns EPERM
_LOAD, _EQUAL, _RETURN = 0x20, 0x15, 0x06
_SECCOMP_FILTER = 2
_CAPABILITIES = 0x20080522  # the version of capset that takes two times three words

# What reading needs of the kernel: memory, descriptors, time, its own end. Name: number on x86-64, number on arm64.
_CALLS = {
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "fstat": (5, 80), "lseek": (8, 62), "mmap": (9, 222),
    "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214), "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "pread64": (17, 67), "pwrite64": (18, 68),
    "readv": (19, 65), "writev": (20, 66), "sched_yield": (24, 124), "mremap": (25, 216), "madvise": (28, 233),
    "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "nanosleep": (35, 101), "getpid": (39, 172),
    "exit": (60, 93), "uname": (63, 160), "ftruncate": (77, 46), "gettimeofday": (96, 169),
    "getrusage": (98, 165), "sysinfo": (99, 179), "times": (100, 153), "getuid": (102, 174), "getgid": (104, 176),
    "geteuid": (107, 175), "getegid": (108, 177), "getppid": (110, 173), "sigaltstack": (131, 132),
    "arch_prctl": (158, None), "gettid": (186, 178), "time": (201, None), "futex": (202, 98),
    "sched_getaffinity": (204, 123), "set_tid_address": (218, 96), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "clock_nanosleep": (230, 115), "exit_group": (231, 94), "set_robust_list": (273, 99),
    "getrandom": (318, 278), "rseq": (334, 293),
    "newfstatat": (262, 79), "statx": (332, 291),
}  # fmt: skip
_OPENING_CALLS = {
    "open": (2, None), "stat": (4, None), "lstat": (6, None), "access": (21, None), "getcwd": (79, 17),
    "readlink": (89, None), "getdents64": (217, 61), "openat": (257, 56),
    "readlinkat": (267, 78), "faccessat": (269, 48), "faccessat2": (439, 439),
}  # fmt: skip
_STARTING_CALLS = {"execve": (59, 221), "memfd_create": (319, 279)}  # the second holds what the program reads
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column of the tables, the kernel's name for it

_PYTHON = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts")  # fonts for PDFs that do not embed their own
_ENGINE_FOLDERS = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib",
    "/usr/share/tesseract-ocr", "/usr/share/tessdata", "/usr/share/tesseract", "/usr/local/share/tessdata",
)  # fmt: skip
_LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")


def rights_drop(*, engine: str = "") -> None:
    """Give up what reading a file does not need; nothing gives it back.

    Rule: afterwards this process is nobody's if it was root's, can read no file but Python's libraries and those it
    has open, write none but those, and can start no process, open no socket and send no signal. Where the kernel
    cannot narrow files (no Landlock), no file can be opened at all.

    Args:
        engine: The one program that it may still become, an absolute path; that program's libraries can be read then.
    """
    libc, parent = ctypes.CDLL(None, use_errno=True), os.getppid()
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    are_files_narrowed = _files_narrow(libc, engine)
    if os.geteuid() == 0:
        with suppress(OSError):  # a container may know no other user
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
    libc.capset(struct.pack("=Ii", _CAPABILITIES, 0), bytes(24))  # an ordinary user has all in a space of its own
    libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)  # a change of user clears it
    if os.getppid() != parent:
        os._exit(1)  # the parent died in between
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    _calls_narrow(libc, may_open=are_files_narrowed or bool(engine), may_start=bool(engine))


def _files_narrow(libc: ctypes.CDLL, engine: str) -> bool:
    """With Landlock: let this process open nothing but libraries, and those only for reading."""
    version = libc.syscall(_LANDLOCK_CREATE, None, 0, 1)
    if version < 1:
        return False
    handled = (1 << _FILE_RIGHTS_BY_VERSION.get(version, _NEWEST_FILE_RIGHTS)) - 1
    rules = struct.pack("=QQQ", handled, _TCP, _SIGNALS_AND_SOCKETS)
    size = 24 if version >= _WITH_SCOPES else 16 if version >= _WITH_NET else 8
    ruleset = libc.syscall(_LANDLOCK_CREATE, rules, size, 0)
    if ruleset < 0:
        return False
    for path, rights in _readable(engine):
        with suppress(OSError):  # what is not there needs no rule
            handle = os.open(path, os.O_PATH)
            libc.syscall(_LANDLOCK_ADD, ruleset, 1, struct.pack("=Qi", rights, handle), 0)
            os.close(handle)
    done = bool(libc.syscall(_LANDLOCK_RESTRICT, ruleset, 0) == 0)
    os.close(ruleset)
    return done


def _readable(engine: str) -> Iterator[tuple[str, int]]:
    """What may still be opened: libraries, which some modules load late; for a program to become, that and its own."""
    folders = (*_PYTHON, str(PROGRAM.parent), *_FONTS, *(_ENGINE_FOLDERS if engine else ()))
    yield from ((folder, _READ_FILE | _READ_FOLDER) for folder in folders)
    if engine:
        yield from ((program, _READ_FILE | _EXECUTE) for program in (engine, *_LOADERS))
        yield "/etc/ld.so.cache", _READ_FILE


def _calls_narrow(libc: ctypes.CDLL, *, may_open: bool, may_start: bool) -> None:
    """With seccomp: every call of the kernel that is not on the list fails with "not permitted"."""
    if platform.machine() not in _MACHINES:
        return
    column, machine = _MACHINES[platform.machine()]
    allowed = _CALLS | (_OPENING_CALLS if may_open else {}) | (_STARTING_CALLS if may_start else {})
    numbers = [row[column] for row in allowed.values() if row[column] is not None]
    steps = [
        (_LOAD, 0, 0, 4),  # the machine that the call is made for
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),  # the call's number
        *((_EQUAL, len(numbers) - place, 0, number) for place, number in enumerate(numbers)),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    program = struct.pack("@HP", len(steps), ctypes.addressof(code))
    libc.prctl(PR_SET_SECCOMP, _SECCOMP_FILTER, program, 0, 0)


def rights_left() -> list[str]:
    """Try what should be impossible after `rights_drop`; returns what was possible all the same."""
    attempts: dict[str, Callable[[], object]] = {
        "open sockets": socket.socket,
        "read other files": lambda: os.open("/etc/passwd", os.O_RDONLY),
        "write files": lambda: os.open("/tmp", os.O_TMPFILE | os.O_WRONLY),  # noqa: S108 - a file without a name
        "start processes": lambda: os.fork() or os._exit(0),
        "send signals": lambda: os.kill(os.getppid(), 0),
        "have signals sent": lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid()),
        "hold memory past its limit": lambda: os.memfd_create("memory"),
    }
    return [name for name, attempt in attempts.items() if _works(attempt)]


def _works(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


if __name__ == "__main__":
    rights_drop()
    sys.stdout.write(json.dumps(rights_left()))
