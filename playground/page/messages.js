// The message list: draws, keeps the focus and the place where one reads, and hands presses on.

import { h, isolated } from "./dom.js";
import { messageView } from "./message-view.js";
import { KIND, walk } from "./message-tree.js";
import { morph } from "./morph.js";
import { openSelect } from "./select-menu.js";

const NEAR_END = 80; // px from the end that still counts as reading the newest
const GAP = 6; // px above a tall message's body
const AT_TOP = 2; // px below the top of a tall message that still count as its top
/** The newest message is followed: shown to its end, or from its top when what it says is taller than the view. */
const NEWEST = "newest";
/** The reader went to the end of a message that is taller than the view, as one does for its buttons: it stays there. */
const END = "end";
const SAME_BREATH_MS = 5 * 60 * 1000; // messages of one author within this time share a header

export class MessageList {
  #list;
  #scroller;
  #jump;
  #store;
  #handlers;
  #reads = NEWEST; // NEWEST, END, or null: somewhere further up, from where nothing may move the reader
  #pressed = null; // the message in which the viewer has pressed something, until it changes
  #put = null; // where the list was scrolled to by this page, until the reader scrolls
  #drawnFor = null; // which channel, as whom
  #target = null; // the message that a link leads to, while its channel is on its way

  /**
   * `handlers`: press(message, customId, values), command(name), channel(id), large(href, description).
   */
  constructor({ list, scroller, jump }, store, handlers) {
    this.#list = list;
    this.#scroller = scroller;
    this.#jump = jump;
    this.#store = store;
    this.#handlers = handlers;
    store.on("messages", ({ channel }) => this.#onlyHere(channel, () => this.#drawAll()));
    store.on("message-gone", ({ channel, id }) => this.#onlyHere(channel, () => this.#remove(id)));
    store.on("message", ({ channel, message }) => this.#onlyHere(channel, () => this.#draw(message, true)));
    store.on("pressed", ({ message }) => {
      this.#pressed = message;
    });
    store.on("marks", ({ message }) => {
      const known = store.message(message);
      if (known) this.#draw(known);
    });
    list.addEventListener("click", (event) => this.#clicked(event));
    list.addEventListener("keydown", (event) => this.#keyed(event));
    scroller.addEventListener("scroll", () => this.#scrolled());
    jump.addEventListener("click", () => this.toEnd());
    // Pictures arrive and boards grow: someone who reads the newest message goes on seeing it.
    new ResizeObserver(() => this.#follow()).observe(list);
    new ResizeObserver(() => this.#follow()).observe(scroller);
  }

  /** To the newest message. */
  toEnd() {
    this.#reads = NEWEST;
    this.#follow();
  }

  #onlyHere(channel, draw) {
    if (channel === this.#store.channelId) draw();
  }

  // ---- drawing ----

  #context(message) {
    const store = this.#store;
    return {
      message,
      viewerId: store.viewerId,
      failure: store.failure(message.id),
      user: (user) => store.complete(user),
      userName: (id) => store.userName(id),
      channelName: (id) => store.channelById(id)?.name ?? "unknown",
      isWorking: (customId) => store.isWorking(message.id, customId),
      isRevealed: (key) => store.isRevealed(message.id, key),
    };
  }

  #view(message) {
    const messages = this.#store.messagesIn(this.#store.channelId);
    const previous = messages[messages.findIndex((other) => other.id === message.id) - 1];
    const compact = previous !== undefined && previous.author.id === message.author.id && !message.interaction_metadata &&
      !message.referenced_message && new Date(message.timestamp) - new Date(previous.timestamp) < SAME_BREATH_MS;
    return messageView(message, this.#context(message), compact);
  }

  #element(id) {
    return this.#list.querySelector(`:scope > [data-message="${CSS.escape(id)}"]`);
  }

  #drawAll() {
    const store = this.#store;
    const place = `${store.viewerId} ${store.channelId}`;
    const views = store.messagesIn(store.channelId).map((message) => this.#view(message));
    this.#list.setAttribute("aria-busy", "true"); // a channel that opens is not news
    if (place === this.#drawnFor) {
      // The same list, fetched again after the line was broken: who reads or types here must not notice.
      const wanted = this.#list.cloneNode(false);
      wanted.append(...views);
      this.#scrolled();
      morph(this.#list, wanted);
      this.#follow();
    } else {
      this.#list.replaceChildren(...views);
      this.toEnd();
    }
    this.#drawnFor = place;
    this.#jumpTo();
    this.#list.setAttribute("aria-busy", "false");
  }

  /** `told`: the bot wrote or changed it; else only what this page knows about it has changed. */
  #draw(message, told = false) {
    if (message.channel_id && message.channel_id !== this.#store.channelId) return;
    this.#scrolled(); // where one reads now, before anything moves: the scroll event may still be on its way
    const old = this.#element(message.id);
    if (told && message.id === this.#pressed) {
      // Who went down to a board's buttons and pressed one wants to see what comes of it. Only then: when others press,
      // the buttons must not go away from under a finger.
      if (this.#reads === END && old === this.#list.lastElementChild) this.#reads = NEWEST;
      this.#pressed = null;
    }
    const view = this.#view(message);
    if (!old) {
      this.#list.append(view);
      if (this.#reads) this.toEnd();
      else this.#jump.hidden = false;
      return;
    }
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    morph(old, view);
    // The button that had the focus is gone: the reader stays at its message instead of falling to the top.
    if (focused && !old.contains(document.activeElement)) old.querySelector("article").focus({ preventScroll: true });
    this.#follow();
  }

  #remove(id) {
    const old = this.#element(id);
    if (!old) return;
    const hadFocus = old.contains(document.activeElement);
    const neighbour = old.previousElementSibling ?? old.nextElementSibling;
    old.remove();
    if (hadFocus) neighbour?.querySelector("article").focus({ preventScroll: true });
  }

  /** Shows the message that a link named, once it is there; in another channel its list is loaded first. */
  #jumpTo() {
    const article = this.#target && this.#element(this.#target)?.querySelector("article");
    if (!article) return;
    this.#target = null;
    this.#reads = this.#put = null;
    article.scrollIntoView({ block: "center" });
    article.focus({ preventScroll: true });
    article.classList.add("found");
    article.addEventListener("animationend", () => article.classList.remove("found"), { once: true });
  }

  // ---- the place where one reads ----

  /** How far one can scroll, and the place that shows the newest message best. */
  #places() {
    const scroller = this.#scroller;
    const end = Math.max(0, scroller.scrollHeight - scroller.clientHeight);
    const last = this.#list.lastElementChild;
    if (!last) return { end, newest: end };
    const zero = scroller.getBoundingClientRect().top - scroller.scrollTop;
    // From the top of what it says: a board and its buttons need the height more than the author's line does.
    const top = last.querySelector(".message-body").getBoundingClientRect().top - zero - GAP;
    return { end, newest: Math.min(end, Math.max(0, top)) };
  }

  #scrolled() {
    const { scrollTop } = this.#scroller;
    // It is where we left it: what has grown or come since was not scrolled away from.
    if (scrollTop === this.#put) return;
    this.#put = null;
    const { end, newest } = this.#places();
    const near = scrollTop > newest - NEAR_END;
    if (near && (end === newest || scrollTop <= newest + AT_TOP)) this.#reads = NEWEST;
    else this.#reads = end - scrollTop < NEAR_END ? END : null;
    if (near) this.#jump.hidden = true;
  }

  #follow() {
    if (!this.#reads) return;
    const { end, newest } = this.#places();
    if (end === newest) this.#reads = NEWEST;
    this.#scroller.scrollTop = this.#reads === END ? end : newest;
    this.#put = this.#scroller.scrollTop;
    this.#jump.hidden = true;
  }

  // ---- pressing ----

  #clicked(event) {
    const target = event.target.closest("[data-custom-id], [data-select], [data-reveal], [data-dismiss], [data-command], [data-channel], [data-large], a.button");
    if (!target) return;
    const message = target.closest("[data-message]").dataset.message;
    const { customId, select, reveal, dismiss, command, channel, jump, large } = target.dataset;
    if (target.matches("[data-channel]")) event.preventDefault();
    if (target.getAttribute("aria-disabled") === "true") {
      event.preventDefault();
    } else if (customId !== undefined) {
      this.#handlers.press(message, customId);
    } else if (select !== undefined) {
      this.#openSelect(target, message, select);
    } else if (reveal !== undefined) {
      this.#store.reveal(message, reveal);
    } else if (dismiss !== undefined) {
      this.#store.dismiss(this.#store.channelId, dismiss);
    } else if (command !== undefined) {
      this.#handlers.command(command);
    } else if (channel !== undefined) {
      this.#target = jump ?? null;
      this.#handlers.channel(channel);
      this.#jumpTo();
    } else if (large !== undefined) {
      const image = target.querySelector("img");
      this.#handlers.large(image.src, image.alt);
    }
  }

  #keyed(event) {
    // Spoilers in text are spans with a button's role: give them a button's keys.
    if ((event.key === "Enter" || event.key === " ") && event.target.matches("span[data-reveal]")) {
      event.preventDefault();
      event.target.click();
    }
  }

  #openSelect(anchor, message, customId) {
    const source = this.#store.message(message);
    const component = [...walk(source.components)].find((one) => one.type === KIND.stringSelect && one.custom_id === customId);
    openSelect(anchor, component, (values) => this.#handlers.press(message, customId, values));
  }
}

/** What stands above the first message of a channel, with commands to begin with. */
export function channelIntro(channel, commands, onCommand) {
  const words = channel.type === 11 ? "This is the start of the thread" : "This is the start of";
  return [
    h("div", { class: "intro-mark", "aria-hidden": "true" }, channel.type === 11 ? "⌁" : "#"),
    h("h2", {}, isolated(channel.name)),
    h("p", {}, `${words} `, isolated(channel.name), "."),
    commands.length
      ? h("p", { class: "intro-commands" }, commands.map((command) =>
        h("button", { type: "button", class: "button secondary", on: { click: () => onCommand(command.name) } }, `/${command.name}`)))
      : null,
  ];
}
