// Emoji: unicode as it is, an application's own as the picture that the server keeps under its id.

import { h } from "./dom.js";

/** A picture of `:name:`; its name as text where the server does not know it (any more). */
export function customEmoji(name, id) {
  const image = h("img", { class: "custom-emoji", src: `/emojis/${id}`, alt: `:${name}:`, title: `:${name}:`, draggable: "false" });
  // What it stands for may have changed since: a redrawn message keeps its elements (morph.js).
  image.addEventListener("error", () => image.replaceWith(h("span", { class: "custom-emoji" }, image.alt)));
  return image;
}

/** The emoji of a button or of an option of a select; null when it has none. */
export function emoji(value) {
  if (!value?.name) return null;
  return value.id ? customEmoji(value.name, value.id) : h("span", { class: "emoji" }, value.name);
}
