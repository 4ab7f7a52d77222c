// Keeping the store true to the server: loading, the event stream, and catching up after either was away.

import { api, listen } from "./api.js";

const RETRY_MS = 1500;

export class Live {
  #store;
  #attempt;
  #close = null;
  #early = null; // events that arrive while the message list is on its way: they are newer than it
  #refreshing = null;

  /** `attempt(work)` runs a request and shows its refusal; null then. */
  constructor(store, attempt) {
    this.#store = store;
    this.#attempt = attempt;
    store.on("stale", () => this.refreshWorld());
  }

  /** Listens as the present viewer, and loads what this viewer sees. */
  follow() {
    this.#close?.();
    this.#close = listen(this.#store.viewerId, {
      onEvent: (event) => this.#heard(event),
      onOpen: () => {
        this.#store.tell("line", { open: true });
        this.refreshWorld();
        this.load();
      },
      onLost: () => this.#store.tell("line", { open: false }),
    });
  }

  async load() {
    const { channelId, viewerId } = this.#store;
    const early = [];
    this.#early = early;
    const messages = await this.#attempt(() => api.messages(channelId, viewerId));
    if (this.#early !== early) return; // a later load took over
    this.#early = null;
    if (messages === null || viewerId !== this.#store.viewerId) return;
    this.#store.loadMessages(channelId, messages);
    for (const event of early) this.#heard(event);
  }

  /** Fetches the world; while the bot is not ready, again a little later. Calls that come together are one. */
  refreshWorld() {
    this.#refreshing ??= this.#fetchWorld().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #fetchWorld() {
    const world = await this.#attempt(() => api.world());
    if (world) this.#store.setWorld(world);
    const { bot } = world ?? {};
    if (bot && !bot.connected && bot.pid) setTimeout(() => this.refreshWorld(), RETRY_MS);
  }

  #heard(event) {
    if (event.type === "world" || event.type === "bot") {
      this.refreshWorld();
      return;
    }
    if (!event.type.startsWith("message")) return; // interactions are asked for by their id (actions.js)
    const channel = event.channel ?? event.message?.channel_id;
    if (this.#early && channel === this.#store.channelId) this.#early.push(event);
    if (event.type === "message_delete") this.#store.removeMessage(channel, event.message?.id ?? event.id);
    else this.#store.putMessage(channel, event.message, { fresh: event.type === "message" });
  }
}
