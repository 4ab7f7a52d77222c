// Pictures and files: media galleries, thumbnails, file components, attachments; and the large view of a picture.

import { h, icon, mediaHref } from "./dom.js";
import { isStill, posterOf } from "./posters.js";

const ICON_FILE = "M6 2h8l4 4v16H6zM14 2v5h4M9 12h6M9 16h6";

function sizeText(bytes) {
  if (!Number.isFinite(bytes)) return "";
  if (bytes < 1024) return `${bytes} bytes`;
  const inKib = bytes / 1024;
  return inKib < 1024 ? `${inKib.toFixed(1)} KB` : `${(inKib / 1024).toFixed(1)} MB`;
}

/** The button that covers a spoiler and opens it. */
export function spoilerCover(key, what) {
  return h("button", { type: "button", class: "spoiler-cover", data: { reveal: key }, "aria-label": `Spoiler: reveal ${what}` },
    h("span", { "aria-hidden": "true" }, "SPOILER"));
}

/**
 * One picture of {media: {url, width, height}, description, spoiler}, as a button that shows it large.
 * Width and height are set when known, so that the text below does not jump when the picture arrives.
 */
export function picture(item, context, { className = "picture" } = {}) {
  const href = mediaHref(item.media?.url);
  const description = item.description ?? "";
  const key = `media:${item.media?.url}`;
  const hidden = Boolean(item.spoiler) && !context.isRevealed(key);
  if (!href) return h("span", { class: "missing" }, description || "A picture whose address cannot be shown");
  const playing = `play:${item.media?.url}`;
  const still = isStill(item.media, href) && !context.isRevealed(playing);
  const known = item.media.width > 1 && item.media.height > 1;
  const image = h("img", {
    src: still ? posterOf(href) : href,
    data: { poster: still ? href : null },
    alt: description,
    decoding: "async",
    width: known ? item.media.width : null,
    height: known ? item.media.height : null,
  });
  const open = h("button", {
    type: "button", class: "picture-open", inert: hidden, "aria-hidden": hidden ? "true" : null,
    "aria-label": description ? `Show large: ${description}` : "Show the picture large", data: { large: href },
  }, image);
  const play = still && !hidden
    ? h("button", { type: "button", class: "button play", "aria-label": description ? `Play: ${description}` : "Play the picture", data: { reveal: playing } },
      h("span", { "aria-hidden": "true" }, "▶"), "Play")
    : null;
  return h("span", { class: hidden ? `${className} hidden` : className }, open, play, hidden ? spoilerCover(key, "picture") : null);
}

export function gallery(component, context) {
  const items = component.items ?? [];
  return h("div", { class: "gallery", data: { count: Math.min(items.length, 5) } }, items.map((item) => picture(item, context)));
}

export function thumbnail(component, context) {
  return picture(component, context, { className: "picture thumbnail" });
}

function fileCard(name, size, href) {
  const label = h("span", { class: "file-name" }, name || "file");
  return h("div", { class: "file" }, icon(ICON_FILE),
    h("span", { class: "file-text" },
      href ? h("a", { href, download: name || "" }, label) : label,
      h("span", { class: "file-size" }, sizeText(size))));
}

/** A File component (13): its name and size stand on the component or, failing that, on the attachment. */
export function fileComponent(component, context) {
  const url = component.file?.url;
  const attachment = (context.message.attachments ?? []).find((a) => a.url === url || url === `attachment://${a.filename}`);
  const name = component.name ?? attachment?.filename ?? decodeURIComponent(url?.split("/").at(-1) ?? "file");
  const card = fileCard(name, component.size ?? attachment?.size, mediaHref(attachment?.url ?? url));
  const key = `file:${url}`;
  if (!component.spoiler || context.isRevealed(key)) return card;
  card.inert = true;
  return h("div", { class: "covered" }, card, spoilerCover(key, "file"));
}

/** Attachments of a message without components v2: pictures are shown, other files are offered. */
export function attachments(message, context) {
  return (message.attachments ?? []).map((attachment) => {
    const { url, width, height, filename, size, description } = attachment;
    if (attachment.content_type?.startsWith("image/")) {
      const spoiler = filename?.startsWith("SPOILER_");
      return h("div", { class: "gallery", data: { count: 1 } },
        picture({ media: { url, width, height, content_type: attachment.content_type }, description, spoiler }, context));
    }
    return fileCard(filename, size, mediaHref(url));
  });
}

/** The large view: one dialog for the whole page. */
export class Lightbox {
  #image = h("img", { alt: "" });
  #caption = h("p");
  #dialog = h("dialog", { class: "lightbox", "aria-label": "Picture" },
    h("button", { type: "button", class: "close", "aria-label": "Close the picture", on: { click: () => this.#dialog.close() } }, "×"),
    this.#image, this.#caption);

  constructor(parent) {
    parent.append(this.#dialog);
    this.#dialog.addEventListener("click", (event) => {
      if (event.target === this.#dialog || event.target === this.#image) this.#dialog.close();
    });
  }

  show(href, description) {
    this.#image.src = href;
    this.#image.alt = description;
    this.#caption.textContent = description;
    this.#dialog.showModal();
  }
}
