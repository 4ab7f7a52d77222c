// The channel list, threads under their channel.

import { h, isolated } from "./dom.js";

const THREAD = 11;

/** Channels in their order, each followed by its threads. */
export function inOrder(channels) {
  const threads = channels.filter((channel) => channel.type === THREAD);
  return channels.filter((channel) => channel.type !== THREAD)
    .flatMap((channel) => [channel, ...threads.filter((thread) => thread.parent_id === channel.id)]);
}

export class Channels {
  #list;
  #store;

  constructor(list, store, open) {
    this.#list = list;
    this.#store = store;
    for (const kind of ["world", "channel", "message"]) store.on(kind, () => this.#draw());
    list.addEventListener("click", (event) => {
      const row = event.target.closest("[data-channel]");
      if (row) open(row.dataset.channel);
    });
  }

  #draw() {
    const { world, channelId, unread } = this.#store;
    const state = `${channelId} ${[...unread]} ${world.channels.map((channel) => channel.id + channel.name)}`;
    if (this.#list.dataset.state === state) return; // messages come often, changes here seldom
    this.#list.dataset.state = state;
    const focused = this.#list.contains(document.activeElement) ? document.activeElement.dataset.channel : null;
    this.#list.replaceChildren(...inOrder(world.channels).map((channel) => this.#row(channel, channel.id === channelId, unread.has(channel.id))));
    if (focused) this.#list.querySelector(`[data-channel="${CSS.escape(focused)}"]`)?.focus();
  }

  #row(channel, open, unread) {
    const thread = channel.type === THREAD;
    return h("li", { class: thread ? "thread" : null },
      h("button", { type: "button", class: unread ? "channel unread" : "channel", "aria-current": open ? "page" : null, data: { channel: channel.id } },
        h("span", { class: "channel-mark", "aria-hidden": "true" }, thread ? "⌁" : "#"),
        isolated(channel.name, { class: "channel-name" }),
        unread ? h("span", { class: "unread-dot" }, h("span", { class: "visually-hidden" }, "unread")) : null));
  }
}
