// Markdown's data (markdown.js) as elements. `context` answers what only the page knows:
// userName(id), channelName(id), viewerId, isRevealed(key).

import { h, isolated, linkAttributes, safeHref } from "./dom.js";
import { customEmoji } from "./emoji.js";
import { parse, parseInline } from "./markdown.js";
import { timestamp } from "./times.js";

const TAGS = { bold: "strong", italic: "em", underline: "u", strike: "s" };

/** What inline nodes say without their formatting; also the key under which a spoiler stays open. */
export function plainText(nodes) {
  return nodes.map((node) => {
    if (node.kind === "emoji") return node.name.replaceAll("_", " "); // as it is read aloud
    return node.text ?? (node.children ? plainText(node.children) : `${node.id ?? node.name ?? node.unix}`);
  }).join("");
}

function spoiler(node, context) {
  const key = `text:${plainText(node.children)}`;
  const open = context.isRevealed(key);
  // Hidden words are not in the accessibility tree, and a link inside cannot be reached, until it is opened.
  return h("span", {
    class: open ? "spoiler open" : "spoiler",
    role: open ? null : "button",
    tabindex: open ? null : "0",
    "aria-label": open ? null : "Spoiler, press to reveal",
    data: { reveal: open ? null : key },
  }, h("span", { class: "hidden-words", "aria-hidden": open ? null : "true", inert: !open }, inlineNodes(node.children, context)));
}

function inlineNode(node, context) {
  switch (node.kind) {
    case "text":
      return document.createTextNode(node.text);
    case "code":
      return h("code", {}, node.text);
    case "bold": case "italic": case "underline": case "strike":
      return h(TAGS[node.kind], {}, inlineNodes(node.children, context));
    case "spoiler":
      return spoiler(node, context);
    case "link": {
      const href = safeHref(node.href);
      if (!href) return h("span", {}, inlineNodes(node.children, context));
      return h("a", linkAttributes(href), inlineNodes(node.children, context));
    }
    case "user":
      return h("span", { class: node.id === context.viewerId ? "mention me" : "mention" }, isolated(`@${context.userName(node.id)}`));
    case "role":
      return h("span", { class: "mention" }, "@role");
    case "everyone":
      return h("span", { class: "mention" }, node.text);
    case "channel":
      return h("button", { type: "button", class: "mention", data: { channel: node.id } }, isolated(`#${context.channelName(node.id)}`));
    case "command":
      return h("button", { type: "button", class: "mention", data: { command: node.name } }, isolated(`/${node.name}`));
    case "time":
      return timestamp(node.unix, node.style);
    case "emoji":
      return customEmoji(node.name, node.id);
    default:
      throw new Error(`Markdown has no view for "${node.kind}"`);
  }
}

function inlineNodes(nodes, context) {
  return nodes.map((node) => inlineNode(node, context));
}

function list(block, context) {
  return h(block.ordered ? "ol" : "ul", { start: block.ordered && block.start !== 1 ? block.start : null },
    block.items.map((item) => h("li", {}, inlineNodes(item.inline, context), item.lists.map((inner) => list(inner, context)))));
}

function blockNode(block, context) {
  switch (block.kind) {
    case "paragraph":
      return h("div", { class: "paragraph" }, inlineNodes(block.inline, context));
    case "heading": // the page's own headings are h1 and h2, so a message's begin at h3
      return h(`h${block.level + 2}`, { class: `heading-${block.level}` }, inlineNodes(block.inline, context));
    case "subtext":
      return h("div", { class: "subtext" }, inlineNodes(block.inline, context));
    case "quote":
      return h("blockquote", {}, block.blocks.map((inner) => blockNode(inner, context)));
    case "list":
      return list(block, context);
    case "codeblock":
      return h("pre", { tabindex: "0", "aria-label": "code" }, h("code", {}, block.text));
    case "gap":
      return h("div", { class: "gap" });
    default:
      throw new Error(`Markdown has no view for "${block.kind}"`);
  }
}

export function markdown(text, context) {
  return h("div", { class: "markdown" }, parse(text ?? "", 0).map((block) => blockNode(block, context)));
}

/** For places that take one line (embed titles, field names). */
export function markdownLine(text, context) {
  return inlineNodes(parseInline(text ?? ""), context);
}
