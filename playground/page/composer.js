// The line at the bottom. It carries slash commands: "/" opens the list, a command turns into chips, one an option.
// Keys: arrows choose, Tab or Enter take, Enter sends, Backspace in an empty field goes back, Escape closes.

import { matching, mayUse, slashCommands } from "./command-list.js";
import { nameOf } from "./message-tree.js";
import { OptionChip } from "./option-chip.js";
import { Suggestions } from "./suggestions.js";

export class Composer {
  #form;
  #input;
  #token;
  #chipBox;
  #store;
  #actions;
  #toast;
  #suggestions;
  #command = null;
  #chips = [];

  constructor({ form, input, token, chips, suggestions }, store, actions, toast) {
    this.#form = form;
    this.#input = input;
    this.#token = token;
    this.#chipBox = chips;
    this.#store = store;
    this.#actions = actions;
    this.#toast = toast;
    this.#suggestions = new Suggestions(suggestions);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    input.addEventListener("input", () => this.#suggest());
    input.addEventListener("focus", () => this.#suggest());
    form.addEventListener("keydown", (event) => this.#keyed(event));
    form.addEventListener("focusout", (event) => {
      if (!form.contains(event.relatedTarget)) this.#suggestions.hide();
    });
    store.on("channel", () => this.#placeholder());
    store.on("world", () => this.#placeholder());
    store.on("viewer", () => {
      // What was being written stays when people are switched, unless the new one could not write it.
      if (this.#command && !this.#commands().some((one) => one.name === this.#command.name)) this.#clear();
    });
  }

  /** Puts a slash into the empty line, as the key does from anywhere on the page. */
  openPicker() {
    if (!this.#command) this.#input.value = "/";
    this.#input.focus();
    this.#suggest();
  }

  /** Fills in a command by name ("war challenge"), ready for its options. */
  begin(name) {
    const command = this.#commands().find((one) => one.name === name);
    if (command) this.#choose(command);
    else if (slashCommands(this.#store.world?.commands).some((one) => one.name === name)) this.#toast(`${nameOf(this.#store.viewer)} may not use /${name}.`);
    else this.#toast(`The bot has no command /${name} at the moment.`);
  }

  /** Those that the viewer may use. */
  #commands() {
    const { world, viewer } = this.#store;
    return slashCommands(world?.commands?.filter((command) => mayUse(command, viewer?.permissions)));
  }

  #placeholder() {
    const channel = this.#store.channelById(this.#store.channelId);
    this.#input.placeholder = this.#command ? "" : `Type / for commands in #${channel?.name ?? ""}`;
  }

  // ---- building a command ----

  #choose(command) {
    this.#command = command;
    this.#token.textContent = `/${command.name}`;
    this.#token.hidden = false;
    this.#chips = [];
    this.#chipBox.replaceChildren();
    this.#input.value = "";
    this.#form.classList.add("composing");
    this.#placeholder();
    for (const option of command.options.filter((one) => one.required)) this.#addChip(option);
    (this.#chips[0]?.input ?? this.#input).focus();
    this.#suggest();
  }

  #addChip(option) {
    const chip = new OptionChip(option, {
      users: () => this.#users(),
      channels: () => this.#store.world.channels,
      choices: (name, typed) => this.#choices(name, typed),
    });
    chip.input.addEventListener("focus", () => this.#suggest());
    chip.input.addEventListener("input", () => this.#suggest());
    this.#chips.push(chip);
    this.#chipBox.append(chip.element);
    return chip;
  }

  /** The others first: one seldom means oneself. */
  #users() {
    const { users, bot } = this.#store.world;
    const me = users.filter((user) => user.id === this.#store.viewerId);
    const others = users.filter((user) => user.id !== this.#store.viewerId).sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
    return [...others, ...me, ...(bot?.user ? [{ ...bot.user, bot: true }] : [])];
  }

  #choices(focused, typed) {
    const options = { ...this.#values().options, [focused]: typed };
    return this.#actions.attempt(() => this.#actions.choices(this.#command.name, options, focused));
  }

  #drop(chip) {
    this.#chips = this.#chips.filter((other) => other !== chip);
    chip.element.remove();
  }

  #clear() {
    this.#command = null;
    this.#chips = [];
    this.#chipBox.replaceChildren();
    this.#token.hidden = true;
    this.#token.textContent = "";
    this.#input.value = "";
    this.#form.classList.remove("composing");
    this.#suggestions.hide();
    this.#placeholder();
  }

  /** On to the next empty field, or to the end of the line, where Enter sends. */
  #next() {
    const empty = this.#chips.find((chip) => chip.isEmpty);
    (empty?.input ?? this.#input).focus();
    this.#suggest();
  }

  // ---- suggestions ----

  #activeChip() {
    return this.#chips.find((chip) => chip.input === document.activeElement);
  }

  #suggest() {
    const chip = this.#activeChip();
    if (chip) {
      chip.suggest(this.#suggestions, () => this.#next());
    } else if (this.#command) {
      this.#suggestOptions();
    } else if (this.#input.value.startsWith("/")) {
      const items = matching(this.#commands(), this.#input.value.slice(1))
        .map((command) => ({ label: `/${command.name}`, detail: command.description, command }));
      const title = items.length ? "Commands" : this.#commands().length ? "No such command" : "The bot has no commands yet; is it running?";
      this.#suggestions.show({ input: this.#input, title, items, pick: (item) => this.#choose(item.command) });
    } else {
      this.#suggestions.hide();
    }
  }

  #suggestOptions() {
    const used = new Set(this.#chips.map((chip) => chip.option.name));
    const typed = this.#input.value.trim().toLowerCase();
    const free = this.#command.options.filter((option) => !used.has(option.name));
    const items = free.filter((option) => option.name.includes(typed)).map((option) => ({ label: option.name, detail: option.description, option }));
    if (items.length === 0) {
      this.#suggestions.show({ input: this.#input, title: `/${this.#command.name} — Enter sends`, items: [], pick: null });
      return;
    }
    this.#suggestions.show({
      input: this.#input, title: "Options — or Enter to send", items, first: typed !== "",
      pick: (item) => {
        this.#input.value = "";
        this.#addChip(item.option).input.focus();
        this.#suggest();
      },
    });
  }

  // ---- keys ----

  #keyed(event) {
    if (event.isComposing || event.target.tagName !== "INPUT") return;
    const handled = {
      ArrowDown: () => this.#arrow(1),
      ArrowUp: () => this.#arrow(-1),
      Tab: () => !event.shiftKey && this.#tab(),
      Enter: () => this.#enter(),
      Escape: () => this.#escape(),
      Backspace: () => this.#back(event.target),
    }[event.key]?.();
    if (handled) event.preventDefault();
  }

  #arrow(step) {
    this.#suggestions.move(step);
    return this.#suggestions.isOpen;
  }

  #tab() {
    if (this.#suggestions.accept()) return true;
    if (!this.#activeChip()) return false; // from the end of the line Tab leaves the composer
    this.#next();
    return true;
  }

  #enter() {
    if (!this.#suggestions.accept()) this.#send();
    return true;
  }

  #escape() {
    if (this.#suggestions.isOpen) this.#suggestions.hide();
    else this.#clear();
    return true;
  }

  #back(input) {
    const chip = this.#activeChip();
    if (chip?.isPicked) {
      chip.clear();
      this.#suggest();
      return true;
    }
    if (input.value !== "" || !this.#command) return false;
    const at = chip ? this.#chips.indexOf(chip) : this.#chips.length;
    if (chip && !chip.option.required) this.#drop(chip);
    if (at === 0) {
      this.#clear();
      this.#input.focus();
    } else {
      this.#chips[at - 1].input.focus();
    }
    this.#suggest();
    return true;
  }

  // ---- sending ----

  #values() {
    const options = {};
    for (const chip of this.#chips) {
      const result = chip.result();
      if (result.error) return { options, error: result.error, chip };
      if ("value" in result) options[chip.option.name] = result.value;
    }
    return { options };
  }

  #send() {
    if (!this.#command) {
      if (this.#input.value.trim() === "") return this.openPicker();
      return this.#toast("Only commands are heard here. Type / to see them.");
    }
    const { options, error, chip } = this.#values();
    if (error) {
      chip.complain();
      return this.#toast(error);
    }
    const { name } = this.#command;
    this.#clear();
    this.#input.focus();
    return this.#actions.command(name, options);
  }
}
