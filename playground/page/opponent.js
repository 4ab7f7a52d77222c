// "Bob plays himself": this page presses for Bob, a second after the viewer. The server knows nothing of it:
// to the bot, Bob is a person like any other. All that the page knows about custom ids and about the labels of the bot's
// buttons stands in this file.

import { buttonsOf, isEphemeral, nameOf, textsOf } from "./message-tree.js";

const NAME = "Bob";
const PAUSE_MS = 1000;
const CUSTOM_ID = /^war:([a-z]+)((?::[0-9]+)*)$/;
/** What Bob presses when the viewer pressed a button of that kind, of the same match and turn. */
const ANSWERS = { flip: "flip", finish: "finish", offer: "agree", rematch: "rematch" };
const ACCEPT = "accept";
const REVEAL = "Reveal!"; // what the button of a board says when a war lies on it

function kindOf(customId) {
  return CUSTOM_ID.exec(customId ?? "")?.[1] ?? null;
}

/** The custom id with which Bob answers this one, or null. */
function answerTo(customId) {
  const [, kind, numbers] = CUSTOM_ID.exec(customId) ?? [];
  return Object.hasOwn(ANSWERS, kind ?? "") ? `war:${ANSWERS[kind]}${numbers}` : null;
}

function mentions(message, user) {
  return (message.mentions ?? []).some((one) => one.id === user.id) || textsOf(message).some((text) => text.includes(`<@${user.id}>`));
}

/** Boards name their players by mention or by name, escaped for Markdown. */
function names(message, user) {
  const literal = nameOf(user).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, "u");
  return mentions(message, user) || textsOf(message).some((text) => alone.test(text.replace(/\\(?=[!-/:-@[-`{-~])/g, "")));
}

const enabled = (message, wanted) => buttonsOf(message).find((button) => !button.disabled && wanted(button.custom_id));

/** Whether the newest of these messages that is a game's (a board, a result, a challenge) has a Reveal! for that user. */
export function canReveal(messages, user) {
  const newest = messages.findLast((message) => buttonsOf(message).some((button) => kindOf(button.custom_id)));
  if (!newest || !user || !names(newest, user)) return false;
  return buttonsOf(newest).some((button) => kindOf(button.custom_id) === "flip" && button.label === REVEAL && !button.disabled);
}

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
    const answer = answerTo(customId);
    const pressed = this.#store.message(messageId);
    // A bystander's press is none that Bob would answer.
    if (!this.#mayPlay() || !answer || !names(pressed, this.#store.viewer)) return;
    const channel = pressed.channel_id;
    setTimeout(() => {
      if (!this.#mayPlay()) return;
      // The same numbers mean the same match and the same turn: when the turn is over, Bob was not needed.
      const boards = this.#store.messagesIn(channel).filter((message) => !isEphemeral(message) && enabled(message, (id) => id === answer));
      const board = boards.at(-1);
      if (board && names(board, this.person)) this.#press(this.person.id, board.id, answer);
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
