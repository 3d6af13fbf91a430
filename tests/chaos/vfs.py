"""A SQLite VFS that passes writes to the real one and reports them to a simulated disk.

It copies the structures of the default VFS and replaces the five functions that change a disk.
Reads, locks and shared memory stay SQLite's own, and no compiler is needed.
"""

from __future__ import annotations

import ctypes as c
import functools
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.chaos.disk import Disk, File

from pitbook.house.ledger import database

OK, IOERR = 0, 10
CREATE = 0x4
JOURNAL_KINDS = 0x800 | 0x4000 | 0x80000  # Main journal, super-journal, WAL: they sync the folder.

Pointer, Int, Int64 = c.c_void_p, c.c_int, c.c_int64
OPEN = c.CFUNCTYPE(Int, Pointer, Pointer, Pointer, Int, c.POINTER(Int))
DELETE = c.CFUNCTYPE(Int, Pointer, Pointer, Int)
CLOSE = c.CFUNCTYPE(Int, Pointer)
WRITE = c.CFUNCTYPE(Int, Pointer, Pointer, Int, Int64)
TRUNCATE = c.CFUNCTYPE(Int, Pointer, Int64)
SYNC = c.CFUNCTYPE(Int, Pointer, Int)


class Vfs(c.Structure):
    _fields_ = (
        ("iVersion", Int),
        ("szOsFile", Int),
        ("mxPathname", Int),
        ("pNext", Pointer),
        ("zName", c.c_char_p),
        ("pAppData", Pointer),
        ("xOpen", Pointer),
        ("xDelete", Pointer),
        ("others", Pointer * 14),
    )


class Methods(c.Structure):
    _fields_ = (
        ("iVersion", Int),
        ("xClose", Pointer),
        ("xRead", Pointer),
        ("xWrite", Pointer),
        ("xTruncate", Pointer),
        ("xSync", Pointer),
        ("others", Pointer * 13),
    )


@contextmanager
def watch_disk(disk: Disk, module: types.ModuleType | None = None) -> Iterator[Disk]:
    """Report every change of SQLite's files in the disk's folder to the disk."""
    shim = shim_of(module or engine())
    shim.disks.append(disk)
    shim.switch(on=True)
    try:
        yield disk
    finally:
        shim.switch(on=False)
        shim.disks.remove(disk)
    assert not shim.failures, shim.failures


def engine() -> types.ModuleType:
    """The SQLite that the ledger uses: the newer one, if available."""
    return database.sqlite_module()


@functools.cache
def shim_of(module: types.ModuleType) -> Shim:
    # A shim outlives every test, because SQLite keeps the addresses.
    return Shim(sys.modules[module.connect.__module__])


class Shim:
    """One SQLite library, with a second VFS that can be made its default."""

    def __init__(self, extension: types.ModuleType) -> None:
        self.library = c.CDLL(str(extension.__file__))
        self.library.sqlite3_vfs_find.restype = c.POINTER(Vfs)
        self.real = self.library.sqlite3_vfs_find(None)
        self.disks: list[Disk] = []
        self.failures: list[BaseException] = []
        self.open_files: dict[int, tuple[Disk, File, int, bool]] = {}
        self.methods: dict[int, Methods] = {}
        self._callbacks: list[Any] = []
        self.ours = self._copy()

    def switch(self, *, on: bool) -> None:
        """Make our VFS or the real one the default."""
        chosen = c.byref(self.ours) if on else self.real
        assert self.library.sqlite3_vfs_register(chosen, 1) == OK

    def _copy(self) -> Vfs:
        ours = Vfs.from_buffer_copy(self.real.contents)
        ours.zName, ours.pNext = b"pitbook-chaos", None
        ours.xOpen = self._callback(OPEN, self._on_open)
        ours.xDelete = self._callback(DELETE, self._on_delete)
        return ours

    def _callback(self, kind: Any, function: Callable[..., int]) -> int | None:
        """The address of a Python function that returns an I/O error if it raises."""

        def call_safely(*arguments: Any) -> int:
            try:
                return function(*arguments)
            except BaseException as failure:  # noqa: BLE001 ctypes would only print it
                self.failures.append(failure)
                return IOERR

        callback = kind(call_safely)
        self._callbacks.append(callback)
        return c.cast(callback, Pointer).value

    def _on_open(self, _: int, name: int | None, file: int, flags: int, out: Any) -> int:
        root = self.real.contents
        status: int = OPEN(root.xOpen)(c.addressof(root), name, file, flags, out)
        path = Path(c.string_at(name).decode()) if name else Path()
        disk = self._disk_of(path)
        if status == OK and disk is not None:
            slot = c.cast(file, c.POINTER(Pointer))
            address = int(slot[0] or 0)
            syncs_folder = bool(flags & CREATE and flags & JOURNAL_KINDS)
            self.open_files[file] = (disk, disk.open_file(path.name), address, syncs_folder)
            slot[0] = c.addressof(self._methods_like(address))
        return status

    def _methods_like(self, address: int) -> Methods:
        if address not in self.methods:
            ours = Methods.from_buffer_copy(Methods.from_address(address))
            ours.xClose = self._callback(CLOSE, self._on_close)
            ours.xWrite = self._callback(WRITE, self._on_write)
            ours.xTruncate = self._callback(TRUNCATE, self._on_truncate)
            ours.xSync = self._callback(SYNC, self._on_sync)
            self.methods[address] = ours
        return self.methods[address]

    def _on_delete(self, _: int, name: int, sync: int) -> int:
        path = Path(c.string_at(name).decode())
        existed = path.exists()
        root = self.real.contents
        status: int = DELETE(root.xDelete)(c.addressof(root), name, sync)
        disk = self._disk_of(path)
        if existed and disk is not None:
            disk.delete(path.name, sync=bool(sync))
        return status

    def _on_close(self, file: int) -> int:
        _, _, address, _ = self.open_files.pop(file)
        status: int = CLOSE(Methods.from_address(address).xClose)(file)
        return status

    def _on_write(self, file: int, content: int, size: int, offset: int) -> int:
        disk, node, address, _ = self.open_files[file]
        status: int = WRITE(Methods.from_address(address).xWrite)(file, content, size, offset)
        disk.write(node, offset, c.string_at(content, size))
        return status

    def _on_truncate(self, file: int, size: int) -> int:
        disk, node, address, _ = self.open_files[file]
        status: int = TRUNCATE(Methods.from_address(address).xTruncate)(file, size)
        disk.truncate(node, size)
        return status

    def _on_sync(self, file: int, _: int) -> int:
        # The working folder itself need not survive anything, so no real sync.
        disk, node, address, syncs_folder = self.open_files[file]
        disk.sync(node, folder=syncs_folder)
        self.open_files[file] = (disk, node, address, False)
        return OK

    def _disk_of(self, path: Path) -> Disk | None:
        return next((disk for disk in self.disks if disk.folder == path.parent), None)
