// Making elements. User data only ever becomes a text node or an attribute value:
// nothing in this page parses HTML, so a hostile name stays a name.

/**
 * h("button", {class: "x", "aria-label": "Close", data: {id: 7}, on: {click: f}}, "text", node, null)
 * true gives an empty attribute; false, null and undefined give none. `vars` sets CSS custom properties
 * (through the CSSOM, which the page's content security policy allows).
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "data") {
      for (const [key, entry] of Object.entries(value)) {
        if (entry !== null && entry !== undefined) element.dataset[key] = entry;
      }
    } else if (name === "vars") {
      for (const [key, entry] of Object.entries(value)) element.style.setProperty(key, entry);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A name on its own bidi island: an override character inside it cannot turn the text around it. */
export function isolated(name, props = {}) {
  return h("bdi", props, name);
}

/** http and https links only; `javascript:` and friends give null. */
export function safeHref(url) {
  try {
    const parsed = new URL(url);
    return parsed.protocol === "https:" || parsed.protocol === "http:" ? parsed.href : null;
  } catch {
    return null; // not a URL: it is shown as text
  }
}

const MESSAGE_LINK = /^https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/channels\/\d{1,20}\/(\d{1,20})(?:\/(\d{1,20}))?$/;

/** Attributes of a link. A link to a message or channel of Discord leads to that place in this page instead. */
export function linkAttributes(href) {
  const place = MESSAGE_LINK.exec(href);
  if (!place) return { href, target: "_blank", rel: "noopener noreferrer nofollow", title: href };
  const [, channel, jump] = place;
  return { href: `#${channel}`, data: { channel, jump } };
}

/**
 * Where the page loads a picture or file from. The server names itself by the address the bot uses
 * (127.0.0.1:port); over an SSH tunnel or as "localhost" only the path is the same, so that is what we keep.
 */
export function mediaHref(url) {
  if (typeof url !== "string" || url === "") return null;
  if (url.startsWith("/") && !url.startsWith("//")) return url;
  try {
    const parsed = new URL(url);
    const loopback = ["127.0.0.1", "localhost", "[::1]", location.hostname].includes(parsed.hostname);
    return loopback && /^https?:$/.test(parsed.protocol) ? parsed.pathname + parsed.search : safeHref(url);
  } catch {
    return null;
  }
}

const svgNamespace = "http://www.w3.org/2000/svg";

/** A line icon from path data of our own, 24 x 24. */
export function icon(paths) {
  const svg = document.createElementNS(svgNamespace, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svgNamespace, "path");
  path.setAttribute("d", paths);
  svg.append(path);
  return svg;
}
