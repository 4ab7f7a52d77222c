// Three hints, one at a time: the first that applies here and was not followed yet. Each goes when it was followed, all
// of them at "×"; the browser remembers.

import { slashCommands } from "./command-list.js";
import { h } from "./dom.js";
import { canReveal } from "./opponent.js";

const REMEMBERED = "warbot-hints";

/** `short` is for where a line is short; `done`: the store's event that says it was followed; `applies(store)`. */
const HINTS = [
  {
    text: "A war is on the table. Press Reveal! and see who takes it.",
    short: "A war! Press Reveal!",
    done: "pressed",
    applies: (store) => canReveal(store.messagesIn(store.channelId), store.viewer),
  },
  {
    text: "Type / below: /war quick plays a whole match, /war challenge asks anyone.",
    short: "Type /war quick for a whole match",
    done: "commanded",
    applies: (store) => slashCommands(store.world.commands).some((command) => command.name.startsWith("war ")),
  },
  {
    text: "Everybody here is you: switch people, or play Bob from a second tab.",
    short: "Everyone is you: switch people below",
    done: "viewer",
    applies: (store) => store.world.users.length > 1,
  },
];

/** The hints that were followed, by their `done`. A number, as older pages wrote it, says how many. */
function remembered() {
  const kept = localStorage.getItem(REMEMBERED) ?? "";
  return /^\d+$/.test(kept) ? HINTS.slice(0, Number(kept)).map((hint) => hint.done) : kept.split(" ");
}

export class Hints {
  #box;
  #store;
  #done = new Set(remembered());
  #shown = null;

  constructor(box, store) {
    this.#box = box;
    this.#store = store;
    for (const { done } of HINTS) store.on(done, () => this.#follow(done));
    for (const kind of ["world", "channel", "messages", "message", "message-gone"]) store.on(kind, () => this.#draw());
    box.querySelector("[data-next]").addEventListener("click", () => this.#follow(this.#shown.done));
    box.querySelector("[data-close]").addEventListener("click", () => this.#follow(...HINTS.map((hint) => hint.done)));
  }

  restart() {
    this.#done.clear();
    this.#follow();
  }

  #follow(...done) {
    for (const one of done) this.#done.add(one);
    localStorage.setItem(REMEMBERED, [...this.#done].join(" "));
    this.#draw();
  }

  #draw() {
    const store = this.#store;
    // While the messages are on their way, nobody knows what applies: better nothing than a hint that is gone at once.
    if (store.world?.ready && !store.isLoaded(store.channelId)) return;
    const open = store.world?.ready ? HINTS.filter((hint) => !this.#done.has(hint.done) && hint.applies(store)) : [];
    const [hint = null] = open;
    this.#box.hidden = !hint;
    if (!hint || hint === this.#shown) {
      if (hint) this.#box.querySelector("[data-next]").hidden = open.length === 1;
      return;
    }
    this.#shown = hint;
    this.#box.querySelector("[data-text]").replaceChildren(h("span", { class: "in-full" }, hint.text), h("span", { class: "in-short" }, hint.short));
    this.#box.querySelector("[data-count]").textContent = `${HINTS.indexOf(hint) + 1} of ${HINTS.length}`;
    this.#box.querySelector("[data-next]").hidden = open.length === 1;
  }
}
