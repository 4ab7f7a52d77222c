"""Ends of connections as networks make them."""

from __future__ import annotations

import asyncio
import socket
import struct


def abort(transport: asyncio.BaseTransport | None) -> None:
    """Cuts a connection: what is not sent yet is dropped, and the other side gets a TCP reset, not a farewell."""
    if not isinstance(transport, asyncio.WriteTransport):
        return  # it is gone already
    connection = transport.get_extra_info("socket")
    if connection is not None:
        # Lingering for zero seconds makes the kernel send RST instead of FIN.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()
