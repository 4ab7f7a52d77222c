// Short sentences at the edge of the page: what the playground refused, and why.

import { h } from "./dom.js";

const SHOWN_MS = 6000;
const MOST = 3;

export class Toasts {
  #box;

  constructor(box) {
    this.#box = box;
  }

  show(sentence) {
    const toast = h("div", { class: "toast" }, h("span", {}, sentence),
      h("button", { type: "button", class: "close", "aria-label": "Close", on: { click: () => toast.remove() } }, "×"));
    this.#box.append(toast);
    while (this.#box.children.length > MOST) this.#box.firstChild.remove();
    setTimeout(() => toast.remove(), SHOWN_MS);
  }
}
