// A person as a coloured circle with an initial.

import { h } from "./dom.js";
import { nameOf } from "./message-tree.js";

function hex(colour) {
  if (Number.isInteger(colour)) return `#${colour.toString(16).padStart(6, "0")}`;
  return /^#[0-9a-f]{6}$/i.test(colour ?? "") ? colour : null;
}

/** A steady colour for someone without one, from the id. */
function colourOf(user) {
  const given = hex(user.colour);
  if (given) return given;
  const hue = [...String(user.id)].reduce((sum, digit) => (sum * 31 + digit.charCodeAt(0)) % 360, 7);
  return `hsl(${hue} 45% 40%)`;
}

/** Black or white, whichever reads better on `colour` (relative luminance as in WCAG 2). */
function inkOn(colour) {
  if (!colour.startsWith("#")) return "#fff";
  const [r, g, b] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#111" : "#fff";
}

const letters = new Intl.Segmenter("en", { granularity: "grapheme" });

export function avatar(user) {
  const colour = colourOf(user);
  // The first grapheme, so that a flag or a family emoji stays whole; cut, should it be a pile of marks.
  const first = letters.segment(nameOf(user).trim())[Symbol.iterator]().next().value?.segment ?? "?";
  const initial = first.length > 14 ? "?" : first.toLocaleUpperCase();
  return h("span", { class: "avatar", "aria-hidden": "true", vars: { "--disc": colour, "--disc-ink": inkOn(colour) } }, initial);
}
