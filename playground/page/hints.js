// Three hints, one after the other. Each goes when it was followed, all of them at "×"; the browser remembers.

const REMEMBERED = "warbot-hints";

const HINTS = [
  { text: "A war is on the table. Press Reveal! and see who takes it; Bob presses a second later.", done: "pressed" },
  { text: "Type / below: /war quick plays a whole match at once, /war challenge asks anyone you like.", done: "commanded" },
  { text: "Everybody here is you: switch people, or open a second tab as Bob and play against yourself.", done: "viewer" },
];

export class Hints {
  #box;
  #at;

  constructor(box, store) {
    this.#box = box;
    this.#at = Number(localStorage.getItem(REMEMBERED) ?? 0);
    HINTS.forEach((hint, index) => store.on(hint.done, () => {
      if (this.#at === index) this.#go(index + 1);
    }));
    box.querySelector("[data-next]").addEventListener("click", () => this.#go(this.#at + 1));
    box.querySelector("[data-close]").addEventListener("click", () => this.#go(HINTS.length));
    this.#draw();
  }

  restart() {
    this.#go(0);
  }

  #go(index) {
    this.#at = index;
    localStorage.setItem(REMEMBERED, String(index));
    this.#draw();
  }

  #draw() {
    const hint = HINTS[this.#at];
    this.#box.hidden = !hint;
    if (!hint) return;
    this.#box.querySelector("[data-text]").textContent = hint.text;
    this.#box.querySelector("[data-count]").textContent = `${this.#at + 1} of ${HINTS.length}`;
    this.#box.querySelector("[data-next]").hidden = this.#at === HINTS.length - 1;
  }
}
