// Classic embeds, for messages without components v2.

import { h, isolated, safeHref } from "./dom.js";
import { markdown, markdownLine } from "./markdown-view.js";
import { picture } from "./media.js";
import { stamp } from "./times.js";

function title(embed, context) {
  if (!embed.title) return null;
  const href = safeHref(embed.url);
  const words = markdownLine(embed.title, context);
  return h("div", { class: "embed-title" }, href ? h("a", { href, target: "_blank", rel: "noopener noreferrer" }, words) : words);
}

function fields(embed, context) {
  if (!embed.fields?.length) return null;
  return h("div", { class: "embed-fields" }, embed.fields.map((field) =>
    h("div", { class: field.inline ? "embed-field inline" : "embed-field" },
      h("div", { class: "embed-field-name" }, markdownLine(field.name, context)), markdown(field.value, context))));
}

function footer(embed) {
  if (!embed.footer?.text && !embed.timestamp) return null;
  return h("div", { class: "embed-footer" }, embed.footer?.text ? isolated(embed.footer.text) : null,
    embed.footer?.text && embed.timestamp ? " • " : null, embed.timestamp ? stamp(embed.timestamp) : null);
}

function embed(value, context) {
  const hasColour = Number.isInteger(value.color);
  return h("div", {
    class: "embed",
    vars: hasColour ? { "--accent-bar": `#${value.color.toString(16).padStart(6, "0")}` } : {},
  },
  h("div", { class: "embed-text" },
    value.author?.name ? h("div", { class: "embed-author" }, isolated(value.author.name)) : null,
    title(value, context),
    value.description ? markdown(value.description, context) : null,
    fields(value, context)),
  value.thumbnail?.url ? picture({ media: value.thumbnail }, context, { className: "picture thumbnail" }) : null,
  value.image?.url ? h("div", { class: "gallery", data: { count: 1 } }, picture({ media: value.image }, context)) : null,
  footer(value));
}

export function embeds(message, context) {
  return (message.embeds ?? []).map((value) => embed(value, context));
}
