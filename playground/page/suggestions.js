// The list above the composer: commands, options, choices, people. The text field keeps the focus; which row is
// active is told through aria-activedescendant, as the combobox pattern of WAI-ARIA has it.

import { h, isolated } from "./dom.js";

export class Suggestions {
  #box;
  #title;
  #list;
  #input = null;
  #items = [];
  #pick = null;
  #active = -1;

  constructor(box) {
    this.#box = box;
    this.#title = h("div", { class: "suggestions-title" });
    this.#list = h("ul", { role: "listbox", id: "suggestion-list", "aria-label": "Suggestions" });
    box.append(this.#title, this.#list);
    // Pressing a row must not take the focus out of the field (on a phone the keyboard would go away).
    box.addEventListener("pointerdown", (event) => event.preventDefault());
    box.addEventListener("click", (event) => {
      const row = event.target.closest("[data-index]");
      if (row) this.#choose(Number(row.dataset.index));
    });
  }

  get isOpen() {
    return !this.#box.hidden;
  }

  get hasActive() {
    return this.isOpen && this.#active >= 0;
  }

  /**
   * Shows `items` ({label, detail, icon, ...}) for `input`; `pick(item)` when one is chosen. With `first`, the
   * first row is active at once, so that Enter takes it. Without items only the title stands, as an explanation.
   */
  show({ input, title, items, pick, first = true }) {
    if (this.#input && this.#input !== input) this.#detach();
    this.#input = input;
    this.#items = items;
    this.#pick = pick;
    this.#title.textContent = title;
    this.#list.replaceChildren(...items.map((item, index) =>
      h("li", { role: "option", id: `suggestion-${index}`, class: "suggestion", "aria-selected": "false", data: { index } },
        item.icon ?? null, isolated(item.label, { class: "suggestion-label" }),
        item.detail ? isolated(item.detail, { class: "suggestion-detail" }) : null)));
    this.#list.hidden = items.length === 0;
    this.#box.hidden = false;
    input.setAttribute("aria-controls", "suggestion-list");
    input.setAttribute("aria-expanded", String(items.length > 0));
    this.#mark(first && items.length ? 0 : -1);
  }

  hide() {
    this.#box.hidden = true;
    this.#detach();
    this.#input = null;
    this.#items = [];
    this.#active = -1;
  }

  move(step) {
    if (!this.isOpen || this.#items.length === 0) return;
    const count = this.#items.length;
    this.#mark(this.#active < 0 ? (step > 0 ? 0 : count - 1) : (this.#active + step + count) % count);
  }

  /** Takes the active row; false when there is none. */
  accept() {
    if (!this.hasActive) return false;
    this.#choose(this.#active);
    return true;
  }

  #choose(index) {
    const item = this.#items[index];
    const pick = this.#pick;
    this.hide();
    pick(item);
  }

  #mark(index) {
    this.#active = index;
    [...this.#list.children].forEach((row, at) => row.setAttribute("aria-selected", String(at === index)));
    if (index < 0) {
      this.#input.removeAttribute("aria-activedescendant");
      return;
    }
    this.#input.setAttribute("aria-activedescendant", `suggestion-${index}`);
    this.#list.children[index].scrollIntoView({ block: "nearest" });
  }

  #detach() {
    this.#input?.setAttribute("aria-expanded", "false");
    this.#input?.removeAttribute("aria-activedescendant");
  }
}
