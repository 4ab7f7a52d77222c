// The bot's process as seen from here: whether it is connected, and the orders stop, kill and start.

import { api } from "./api.js";

export class BotPanel {
  #parts;
  #store;

  /** `parts`: status, pid, menu (with buttons that carry data-do). */
  constructor(parts, store, actions) {
    this.#parts = parts;
    this.#store = store;
    store.on("world", () => this.#draw());
    parts.menu.addEventListener("click", async (event) => {
      const order = event.target.closest("[data-do]")?.dataset.do;
      if (!order) return;
      parts.menu.hidePopover();
      await actions.attempt(() => api.bot(order)); // what it brought about comes as an event
    });
  }

  #draw() {
    const { bot } = this.#store.world;
    const connected = Boolean(bot?.connected);
    this.#parts.status.dataset.connected = String(connected);
    const ended = Number.isInteger(bot?.exit_code) ? `Ended (code ${bot.exit_code})` : "Not connected";
    this.#parts.status.textContent = connected ? "Connected" : bot?.pid ? "Connecting…" : ended;
    this.#parts.pid.textContent = bot?.pid ? `process ${bot.pid}` : "";
    for (const button of this.#parts.menu.querySelectorAll("[data-do]")) {
      const running = Boolean(bot?.pid);
      button.disabled = !bot?.managed || (button.dataset.do === "start" ? running : !running);
    }
    this.#parts.menu.querySelector("[data-unmanaged]").hidden = Boolean(bot?.managed);
  }
}
