"""Transport compression of gateway frames: one stream per connection, flushed after every frame."""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable

Compress = Callable[[bytes], bytes]


def zlib_stream() -> Compress:
    """`zlib-stream`: each frame ends on a sync flush (00 00 FF FF), the mark that clients look for."""
    stream = zlib.compressobj()
    return lambda data: stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH)


def zstd_stream() -> Compress:
    """`zstd-stream`, by whichever module is there: `zstandard`, or `compression.zstd` from Python 3.14.

    Raises ImportError when there is neither.
    """
    try:
        zstandard = importlib.import_module("zstandard")
    except ImportError:
        zstd = importlib.import_module("compression.zstd")
        stream = zstd.ZstdCompressor()
        return lambda data: stream.compress(data, mode=zstd.ZstdCompressor.FLUSH_BLOCK)
    stream = zstandard.ZstdCompressor().compressobj()
    return lambda data: stream.compress(data) + stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)


def compressor(name: str | None) -> Compress | None:
    """The compressor that a client asked for in its query; None: plain text frames.

    Raises ValueError for a name that this server does not know or has no module for.
    """
    if not name:
        return None
    if name == "zlib-stream":
        return zlib_stream()
    if name == "zstd-stream":
        try:
            return zstd_stream()
        except ImportError:
            raise ValueError("This server has no zstd module; ask for zlib-stream.") from None
    raise ValueError(f"Unknown compression {name!r}; zlib-stream and zstd-stream are known.")
