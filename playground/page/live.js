// Keeping the store true to the server: loading, the event stream, and catching up after either was away.

import { ApiError, api, listen } from "./api.js";

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
    // A browser opens six connections to a server, all tabs together, and a stream takes one for good. Hidden tabs
    // give theirs back, so that there can be more than six people; shown again, they fetch what they missed.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#close?.();
      else if (this.#store.viewerId) this.follow();
    });
  }

  /** Listens as the present viewer, and loads what this viewer sees. */
  follow() {
    this.#close?.();
    this.#close = listen(this.#store.viewerId, {
      onEvent: (event) => this.#heard(event),
      onOpen: () => {
        this.#store.tell("line", { open: true });
        this.#catchUp();
      },
      onLost: () => this.#store.tell("line", { open: false }),
    });
  }

  /** The world first: the open channel may be gone by now, and then another one opens (see app.js). */
  async #catchUp() {
    await this.refreshWorld();
    await this.load();
  }

  async load() {
    const { channelId, viewerId } = this.#store;
    if (!this.#store.channelById(channelId)) return;
    const early = [];
    this.#early = early;
    const messages = await this.#attempt(() => this.#messages(channelId, viewerId));
    if (this.#early !== early) return; // a later load took over
    this.#early = null;
    if (messages === null || viewerId !== this.#store.viewerId) return;
    this.#store.loadMessages(channelId, messages);
    for (const event of early) this.#message(event);
  }

  /** A channel that went away while one asked for it is no mistake of anybody's: null, and a look at the world. */
  async #messages(channelId, viewerId) {
    try {
      return await api.messages(channelId, viewerId);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      await this.refreshWorld();
      return null;
    }
  }

  /** Fetches the world; calls that come together are one. */
  refreshWorld() {
    this.#refreshing ??= this.#fetchWorld().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #fetchWorld() {
    const world = await this.#attempt(() => api.world());
    if (world) this.#store.setWorld(world);
  }

  #heard(event) {
    switch (event.type) {
      case "world":
        this.#store.setWorld(event.world);
        break;
      case "bot":
        this.#store.setWorld({ ...this.#store.world, bot: event.bot, ready: event.ready });
        break;
      case "missed": // away for longer than the server remembers
        this.#catchUp();
        break;
      case "interaction":
        this.#store.tell("interaction", event.interaction);
        break;
      case "message": case "message_update": case "message_delete":
        this.#message(event);
        break;
      default: // a newer server may tell more than this page shows
    }
  }

  #message(event) {
    const channel = event.channel ?? event.message.channel_id;
    if (this.#early && channel === this.#store.channelId) this.#early.push(event);
    if (event.type === "message_delete") this.#store.removeMessage(channel, event.id);
    else this.#store.putMessage(channel, event.message, { fresh: event.type === "message" });
  }
}
