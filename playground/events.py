"""What happens, told to everyone who watches: the page and scripts read it as server-sent events."""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from dataclasses import dataclass

from playground.world import Json

HISTORY = 1000
BACKLOG = 2000


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `owner` may see `data`; everyone else sees `public`, or nothing if None."""

    id: str
    data: Json
    owner: str | None
    public: Json | None

    def seen_by(self, people: frozenset[str]) -> Json | None:
        return self.data if self.owner is None or self.owner in people else self.public


class Watcher:
    """One open stream: an unbounded past is not kept for it; who reads too slowly is cut off."""

    def __init__(self, people: frozenset[str]) -> None:
        self.people = people
        self.queue: asyncio.Queue[tuple[str, Json] | None] = asyncio.Queue()
        self.cut_off = False

    def tell(self, event: Event) -> None:
        data = event.seen_by(self.people)
        if self.cut_off or data is None:
            return
        if self.queue.qsize() >= BACKLOG:
            self.cut_off = True
            self.queue.put_nowait(None)
            return
        self.queue.put_nowait((event.id, data))


class EventBus:
    """Numbers events, keeps the last thousand for those who come back, and tells the watchers.

    Ids are `<run>-<number>`: an id of an earlier run of the server is recognised as such.
    """

    def __init__(self) -> None:
        self._run = secrets.token_hex(4)
        self._count = 0
        self._history: deque[Event] = deque(maxlen=HISTORY)
        self._watchers: set[Watcher] = set()

    def publish(self, data: Json, owner: str | None = None, public: Json | None = None) -> None:
        """Tells `data` (it has a `type`) to everyone, or to its owner, and then `public` to the rest."""
        self._count += 1
        event = Event(f"{self._run}-{self._count}", data, owner, public)
        self._history.append(event)
        for watcher in self._watchers:
            watcher.tell(event)

    def watch(self, people: frozenset[str], last_id: str | None = None) -> tuple[Watcher, bool]:
        """Opens a stream for `people`; returns it, and whether all that came after `last_id` is in it.

        False means that the watcher missed something and should read everything anew.
        """
        watcher = Watcher(people)
        complete = last_id is None
        if last_id is not None:
            missed = list(self._history)
            known = [event.id for event in missed]
            if last_id in known:
                complete = True
                for event in missed[known.index(last_id) + 1 :]:
                    watcher.tell(event)
            elif last_id == f"{self._run}-0":
                complete = True
        self._watchers.add(watcher)
        return watcher, complete

    def unwatch(self, watcher: Watcher) -> None:
        self._watchers.discard(watcher)

    def close(self) -> None:
        """Ends every stream."""
        for watcher in self._watchers:
            watcher.queue.put_nowait(None)
