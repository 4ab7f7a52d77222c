// What a person does: pressing, choosing, sending a command, submitting a modal; and what becomes of it.

import { api } from "./api.js";
import { FLAG } from "./message-tree.js";

const FAILED = "This interaction failed";
const NO_ANSWER = "The application did not respond";

export class Actions {
  #store;
  #toast;
  #openModal;
  #notices = 0;
  #waiting = new Map(); // interaction id -> resolve

  /** `toast(sentence)` shows a refusal; `openModal(modal, submit)` shows a modal of the bot. */
  constructor(store, { toast, openModal }) {
    this.#store = store;
    this.#toast = toast;
    this.#openModal = openModal;
    store.on("interaction", (record) => {
      if (record.acked || record.failed) this.#waiting.get(record.id)?.(record);
    });
  }

  /** The viewer presses a button (or chooses `values` of a select) of a message. */
  async press(message, customId, values) {
    const store = this.#store;
    const viewer = store.viewerId;
    if (store.isWorking(message, customId)) return;
    store.setFailure(viewer, message, null);
    store.setWorking(viewer, message, customId, true);
    store.tell("pressed", { message, customId });
    try {
      const result = await this.#send(() => api.click({ user: viewer, message, custom_id: customId, values }));
      if (!result.acked) store.setFailure(viewer, message, { sentence: FAILED, reason: result.failed });
      else if (result.modal) this.#showModal(result, viewer);
    } catch (error) {
      this.#refused(error);
    } finally {
      store.setWorking(viewer, message, customId, false);
    }
  }

  /** Somebody else presses (see opponent.js): nothing of it is shown to the viewer but its effect. */
  async pressFor(user, message, customId) {
    const { interaction } = await api.click({ user, message, custom_id: customId });
    return api.interaction(interaction);
  }

  /** The viewer sends a command; true when the playground took it. */
  async command(command, options, extra = {}) {
    const { viewerId: user, channelId: channel } = this.#store;
    this.#store.tell("commanded", { command });
    try {
      const result = await this.#send(() => api.command({ user, channel, command, options, ...extra }));
      if (!result.acked) this.#notice(channel, user, command, result.failed);
      else if (result.modal) this.#showModal(result, user);
    } catch (error) {
      this.#refused(error);
    }
  }

  /** Choices that the bot offers for the focused option: [{name, value}]. */
  async choices(command, options, focused) {
    const { viewerId: user, channelId: channel } = this.#store;
    const { interaction } = await api.command({ user, channel, command, options, focused });
    const result = await api.interaction(interaction);
    return result.choices ?? [];
  }

  /** For everything else that asks the playground: an error becomes a toast, and the answer null. */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      this.#refused(error);
      return null;
    }
  }

  async #send(post) {
    const { interaction } = await post();
    this.#store.mine.add(interaction);
    const result = { ...(await this.#answer(interaction)), id: interaction };
    if (result.acked && Number.isFinite(result.ack_ms)) this.#store.tell("answered", { ms: result.ack_ms });
    return result;
  }

  /**
   * What became of an interaction, as soon as it is acknowledged. The event stream says so at once; asking waits
   * for the whole answer (a deferred reply may take a while) but works without the stream.
   */
  async #answer(id) {
    const heard = new Promise((resolve) => this.#waiting.set(id, resolve));
    try {
      return await Promise.race([heard, api.interaction(id)]);
    } finally {
      this.#waiting.delete(id);
    }
  }

  #showModal(result, user) {
    this.#openModal(result.modal, async (fields) => {
      try {
        const answer = await this.#send(() => api.click({ user, modal: result.id, fields }));
        if (!answer.acked) this.#toast(NO_ANSWER);
      } catch (error) {
        this.#refused(error);
      }
    });
  }

  /** A private message of the page's own, in the place where the bot's answer would have stood. */
  #notice(channel, user, command, reason) {
    const store = this.#store;
    if (store.viewerId !== user) return;
    this.#notices += 1;
    store.putMessage(channel, {
      id: `notice-${this.#notices}`, notice: true, author: { ...store.world.bot.user, bot: true }, content: [NO_ANSWER, reason && `-# ${reason}`].filter(Boolean).join("\n"),
      flags: FLAG.ephemeral, timestamp: new Date().toISOString(),
      interaction_metadata: { type: 2, name: command, user: store.viewer },
    });
  }

  #refused(error) {
    if (error.status === undefined) throw error; // not the playground's refusal but a mistake in this page
    this.#toast(error.message);
  }
}
