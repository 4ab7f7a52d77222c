// Edits, told to a screen reader in short: only the lines that are new, without their formatting.

import { nameOf, textsOf } from "./message-tree.js";
import { parseInline } from "./markdown.js";
import { plainText } from "./markdown-view.js";
import { formatted } from "./times.js";

const LONGEST = 400; // characters; a spoken sentence or three

export class Announcer {
  #region;
  #store;

  constructor(region, store) {
    this.#region = region;
    this.#store = store;
    store.on("message", ({ channel, message, before }) => {
      if (before && channel === store.channelId) this.#edited(before, message);
    });
  }

  #edited(before, message) {
    const known = new Set(textsOf(before).join("\n").split("\n"));
    const fresh = textsOf(message).join("\n").split("\n").filter((line) => line.trim() && !known.has(line));
    if (fresh.length === 0) return;
    const words = fresh.map((line) => this.#spoken(line)).join(". ").slice(0, LONGEST);
    this.#region.textContent = `${nameOf(message.author)}: ${words}`;
  }

  #spoken(line) {
    const withoutMarks = line.replace(/^(#{1,3}|-#|>|[-*]) +/, "");
    const named = parseInline(withoutMarks).map((node) => {
      if (node.kind === "user") return { text: this.#store.userName(node.id) };
      if (node.kind === "spoiler") return { text: "spoiler" };
      if (node.kind === "time") return { text: formatted(node.unix, node.style) };
      return node;
    });
    return plainText(named);
  }
}
