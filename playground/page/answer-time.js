// The badge: how long the bot took to answer the last press, as the server measured it, and the median so far.

const KEPT = 200;

export class AnswerTime {
  #badge;
  #times = [];

  constructor(badge, store) {
    this.#badge = badge;
    store.on("answered", ({ ms }) => this.#add(ms));
  }

  #add(ms) {
    this.#times = [...this.#times, ms].slice(-KEPT);
    const sorted = [...this.#times].sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)];
    this.#badge.hidden = false;
    this.#badge.querySelector("[data-ms]").textContent = `${Math.max(1, Math.round(ms))} ms`;
    this.#badge.title = `From the click leaving the playground to the bot's answer. Median of ${sorted.length}: ${Math.round(median)} ms.`;
    this.#badge.dataset.pace = ms < 150 ? "quick" : ms < 1000 ? "fair" : "slow";
  }
}
