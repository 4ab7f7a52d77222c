// "Bob plays himself": this page presses for Bob, a second after the viewer. The server knows nothing of it:
// to the bot, Bob is a person like any other. All that the page knows about custom ids stands in this file.

import { buttonsOf, nameOf, textsOf } from "./message-tree.js";

const NAME = "Bob";
const PAUSE_MS = 1000;
const CUSTOM_ID = /^war:([a-z]+)(?::|$)/;
/** Presses of the viewer that Bob answers in kind: the board's main button. */
const ANSWERED = new Set(["flip"]);
const ACCEPT = "accept";

function kindOf(customId) {
  return CUSTOM_ID.exec(customId ?? "")?.[1] ?? null;
}

function mentions(message, user) {
  return (message.mentions ?? []).some((one) => one.id === user.id) || textsOf(message).some((text) => text.includes(`<@${user.id}>`));
}

/** Boards name their players by mention or by name. */
function names(message, user) {
  return mentions(message, user) || textsOf(message).some((text) => text.includes(nameOf(user)));
}

const enabled = (message, wanted) => buttonsOf(message).find((button) => !button.disabled && wanted(button.custom_id));

export class Opponent {
  on = true;
  #accepted = new Set(); // messages already answered, for an edit tells of the same challenge again
  #store;
  #press;

  /** `press(user, message, customId)` presses as that user. */
  constructor(store, press) {
    this.#store = store;
    this.#press = press;
    store.on("pressed", ({ message, customId }) => this.#answerPress(message, customId));
    store.on("message", ({ message }) => this.#answerChallenge(message));
  }

  /** Bob, or undefined when the world has none. */
  get person() {
    return this.#store.world?.users.find((user) => nameOf(user) === NAME);
  }

  #mayPlay() {
    return this.on && this.person && this.person.id !== this.#store.viewerId;
  }

  #answerPress(messageId, customId) {
    if (!this.#mayPlay() || !ANSWERED.has(kindOf(customId))) return;
    const pressed = this.#store.message(messageId);
    const channel = pressed?.channel_id ?? this.#store.channelId;
    setTimeout(() => {
      if (!this.#mayPlay()) return;
      // The same custom id means the same match and the same turn: when the turn is over, Bob was not needed.
      const boards = this.#store.messagesIn(channel).filter((message) => enabled(message, (id) => id === customId));
      const board = boards.at(-1);
      if (board && names(board, this.person)) this.#press(this.person.id, board.id, customId);
    }, PAUSE_MS);
  }

  #answerChallenge(message) {
    const find = (current) => enabled(current, (id) => kindOf(id) === ACCEPT);
    if (!this.#mayPlay() || this.#accepted.has(message.id) || !find(message) || !mentions(message, this.person)) return;
    this.#accepted.add(message.id);
    setTimeout(() => {
      // By now the playground has told this tab the number of its own command: another tab's is not answered here.
      const mine = this.#store.mine.has(message.interaction_metadata?.id);
      const current = this.#store.message(message.id);
      const button = current && find(current);
      if (mine && button && this.#mayPlay()) this.#press(this.person.id, message.id, button.custom_id);
    }, PAUSE_MS);
  }
}
