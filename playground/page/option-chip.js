// One option of the command in the composer: its name and a field. What is picked from a list (a person, a choice)
// has a value apart from its text; what is typed freely is read from the text at the end.

import { avatar } from "./avatars.js";
import { isPicked, OPTION, typedValue } from "./command-list.js";
import { h } from "./dom.js";
import { nameOf } from "./message-tree.js";

const AUTOCOMPLETE_DELAY_MS = 120; // one request for a burst of typing

export class OptionChip {
  option;
  input;
  element;
  #picked = null; // {label, value}
  #source;
  #asked = 0;
  #timer = null;

  /** `source` gives what lists need: users(), channels(), choices(option name, typed text) -> Promise. */
  constructor(option, source) {
    this.option = option;
    this.#source = source;
    const numeric = option.type === OPTION.integer ? "numeric" : option.type === OPTION.number ? "decimal" : null;
    this.input = h("input", {
      type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", inputmode: numeric, "aria-autocomplete": "list",
      "aria-expanded": "false", "aria-required": option.required ? "true" : null, "aria-label": `${option.name}: ${option.description ?? ""}`,
    });
    this.element = h("label", { class: "chip" }, h("span", { class: "chip-name" }, option.name), this.input);
    this.input.addEventListener("input", () => {
      this.#picked = null;
      this.element.classList.remove("wrong");
    });
  }

  get isEmpty() {
    return this.input.value === "";
  }

  /** Whether it holds something picked from a list, which is taken away as a whole. */
  get isPicked() {
    return this.#picked !== null;
  }

  clear() {
    this.#picked = null;
    this.input.value = "";
  }

  set(item) {
    this.#picked = item;
    this.input.value = item.label;
    this.element.classList.remove("wrong");
  }

  /** {value}, {empty: true} or {error: sentence}. */
  result() {
    const text = this.input.value;
    if (this.#picked) return { value: this.#picked.value };
    if (text === "") return this.option.required ? { error: `${this.option.name} is needed.` } : { empty: true };
    if (!isPicked(this.option)) return typedValue(this.option, text);
    const exact = this.#candidates().find((item) => item.label.toLowerCase() === text.trim().toLowerCase());
    return exact ? { value: exact.value } : { error: `${this.option.name}: choose one from the list.` };
  }

  complain() {
    this.element.classList.add("wrong");
    this.input.focus();
  }

  /** Shows what this field can take in `suggestions`, and calls `picked()` after a pick. */
  suggest(suggestions, picked) {
    const title = `${this.option.name} — ${this.option.description ?? ""}`;
    const pick = (item) => {
      this.set(item);
      picked();
    };
    const typed = this.#picked ? "" : this.input.value;
    if (this.option.autocomplete) {
      this.#ask(typed, (items) => suggestions.show({ input: this.input, title, items, pick, first: this.#picked === null }));
      return;
    }
    const wanted = typed.trim().toLowerCase();
    const items = this.#candidates().filter((item) => item.label.toLowerCase().includes(wanted));
    // What is picked already stays, unless the arrows choose another.
    suggestions.show({ input: this.input, title, items, pick, first: this.#picked === null });
  }

  #ask(typed, show) {
    this.#asked += 1;
    const question = this.#asked;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(async () => {
      const choices = await this.#source.choices(this.option.name, typed);
      const current = question === this.#asked && document.activeElement === this.input; // an older answer came late
      if (current && choices) show(choices.map((choice) => ({ label: choice.name, value: choice.value })));
    }, AUTOCOMPLETE_DELAY_MS);
  }

  #candidates() {
    const { type, choices } = this.option;
    if (choices?.length) return choices.map((choice) => ({ label: choice.name, value: choice.value }));
    if (type === OPTION.boolean) return [{ label: "True", value: true }, { label: "False", value: false }];
    if (type === OPTION.user || type === OPTION.mentionable) {
      return this.#source.users().map((user) => ({ label: nameOf(user), value: user.id, icon: avatar(user), detail: user.bot ? "APP" : null }));
    }
    if (type === OPTION.channel) return this.#source.channels().map((channel) => ({ label: channel.name, value: channel.id, detail: "channel" }));
    return [];
  }
}
