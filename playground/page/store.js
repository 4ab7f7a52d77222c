// What the page knows, and who wants to hear when it changes. Views read from here and never from each other.
//
// Events (CustomEvent, with `detail`): "world"; "viewer"; "channel"; "messages" {channel}: the list was loaded or
// cleared; "message" {channel, message, before}: one arrived or changed; "message-gone" {channel, id};
// "marks" {message}: only what this page knows about it changed (working, failed, revealed);
// "pressed" {message, customId}; "commanded" {command}; "answered" {ms}; "interaction": the server's record of one;
// "line" {open}: the event stream.

import { nameOf } from "./message-tree.js";

export class Store extends EventTarget {
  world = null;
  viewerId = null;
  channelId = null;
  /** Interactions that were started in this tab. */
  mine = new Set();
  unread = new Set();
  #messages = new Map(); // channel id -> Map(message id -> message), oldest first
  #working = new Set();
  #revealed = new Set();
  #failures = new Map();
  #dismissed = new Set();

  tell(kind, detail = {}) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  on(kind, listener) {
    this.addEventListener(kind, (event) => listener(event.detail));
  }

  // ---- the world ----

  setWorld(world) {
    this.world = world;
    this.tell("world");
  }

  /** A person or the bot by id; undefined when unknown. */
  userById(id) {
    return this.world?.users.find((user) => user.id === id) ?? (this.world?.bot?.user?.id === id ? this.world.bot.user : undefined);
  }

  /** The user of a message, with the colour that only the world knows. */
  complete(user) {
    return { ...user, ...this.userById(user?.id), bot: user?.bot };
  }

  userName(id) {
    const user = this.userById(id);
    return user ? nameOf(user) : `unknown-user`;
  }

  channelById(id) {
    return this.world?.channels.find((channel) => channel.id === id);
  }

  get viewer() {
    return this.userById(this.viewerId);
  }

  setViewer(id) {
    this.viewerId = id;
    this.#messages.clear(); // another person sees other private messages
    this.tell("viewer");
  }

  setChannel(id) {
    this.channelId = id;
    this.unread.delete(id);
    this.tell("channel");
  }

  // ---- messages ----

  /** Messages of a channel that the viewer sees, oldest first. */
  messagesIn(channel) {
    return [...(this.#messages.get(channel)?.values() ?? [])].filter((message) => !this.#dismissed.has(message.id));
  }

  message(id) {
    for (const messages of this.#messages.values()) {
      if (messages.has(id)) return messages.get(id);
    }
    return undefined;
  }

  isLoaded(channel) {
    return this.#messages.has(channel);
  }

  loadMessages(channel, messages) {
    const notices = this.messagesIn(channel).filter((message) => message.notice);
    this.#messages.set(channel, new Map([...messages, ...notices].map((message) => [message.id, message])));
    this.tell("messages", { channel });
  }

  /** `fresh`: it was just posted, so a channel that is not open has something unread. */
  putMessage(channel, message, { fresh = false } = {}) {
    const messages = this.#messages.get(channel);
    const before = messages?.get(message.id);
    messages?.set(message.id, message);
    if (fresh && channel !== this.channelId) this.unread.add(channel);
    this.tell("message", { channel, message, before });
  }

  removeMessage(channel, id) {
    this.#messages.get(channel)?.delete(id);
    this.tell("message-gone", { channel, id });
  }

  dismiss(channel, id) {
    this.#dismissed.add(id);
    this.tell("message-gone", { channel, id });
  }

  // ---- what only this page knows about a message ----

  #mark(message) {
    this.tell("marks", { message });
  }

  isWorking(message, customId) {
    return this.#working.has(`${this.viewerId} ${message} ${customId}`);
  }

  setWorking(viewer, message, customId, working) {
    const key = `${viewer} ${message} ${customId}`;
    if (working) this.#working.add(key);
    else this.#working.delete(key);
    this.#mark(message);
  }

  failure(message) {
    return this.#failures.get(`${this.viewerId} ${message}`) ?? null;
  }

  /** `failure` is {sentence, reason?}, or null. */
  setFailure(viewer, message, failure) {
    if (failure) this.#failures.set(`${viewer} ${message}`, failure);
    else this.#failures.delete(`${viewer} ${message}`);
    this.#mark(message);
  }

  isRevealed(message, key) {
    return this.#revealed.has(`${message} ${key}`);
  }

  reveal(message, key) {
    this.#revealed.add(`${message} ${key}`);
    this.#mark(message);
  }
}
