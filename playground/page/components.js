// Discord's message components as elements: one function a type. Nothing here listens to clicks: elements carry
// data-custom-id, data-reveal and the like, and the message list (messages.js) listens once for all of them.

import { h, isolated, linkAttributes, safeHref } from "./dom.js";
import { emoji } from "./emoji.js";
import { markdown } from "./markdown-view.js";
import { fileComponent, gallery, spoilerCover, thumbnail } from "./media.js";
import { KIND, textsOf } from "./message-tree.js";

const BUTTON_STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };

function button(component, context) {
  const content = [emoji(component.emoji), component.label ? isolated(component.label, { class: "label" }) : null];
  const style = BUTTON_STYLES[component.style] ?? "secondary";
  // An emoji alone says nothing to a screen reader in every language: name what there is.
  const label = component.label ? null : component.emoji?.name ?? "button";
  if (component.style === 5) {
    const href = safeHref(component.url);
    const attributes = href ? linkAttributes(href) : {};
    const off = component.disabled || !href;
    return h("a", { ...attributes, class: "button link", "aria-disabled": off ? "true" : null, "aria-label": label },
      content, attributes.target ? h("span", { "aria-hidden": "true", class: "outward" }, "↗") : null);
  }
  const working = context.isWorking(component.custom_id);
  // aria-disabled and not disabled: a button that is switched off for a moment must not lose the focus.
  return h("button", {
    type: "button",
    class: `button ${style}${working ? " working" : ""}`,
    "aria-disabled": component.disabled || working ? "true" : null,
    "aria-busy": working ? "true" : null,
    "aria-label": label,
    data: { customId: component.custom_id },
  }, content);
}

function stringSelect(component, context) {
  const chosen = (component.options ?? []).filter((option) => option.default).map((option) => option.label);
  const working = context.isWorking(component.custom_id);
  const name = chosen.length ? chosen.join(", ") : component.placeholder ?? "Make a selection";
  return h("button", {
    type: "button",
    class: `select${working ? " working" : ""}`,
    "aria-haspopup": "listbox",
    "aria-expanded": "false",
    "aria-disabled": component.disabled || working ? "true" : null,
    data: { select: component.custom_id },
  }, isolated(name, { class: chosen.length ? "chosen" : "placeholder" }), h("span", { class: "arrow", "aria-hidden": "true" }, "▾"));
}

function actionRow(component, context) {
  return h("div", { class: "action-row" }, components(component.components, context));
}

function section(component, context) {
  return h("div", { class: "section" },
    h("div", { class: "section-text" }, components(component.components, context)),
    h("div", { class: "section-side" }, components([component.accessory].filter(Boolean), context)));
}

function separator(component) {
  const spacing = component.spacing === 2 ? "large" : "small";
  return component.divider === false
    ? h("div", { class: `separator space ${spacing}`, role: "presentation" })
    : h("hr", { class: `separator ${spacing}` });
}

function container(component, context) {
  const accent = component.accent_color;
  const hasAccent = Number.isInteger(accent);
  const key = `container:${textsOf({ components: [component] }).join("\n").slice(0, 200)}`;
  const hidden = Boolean(component.spoiler) && !context.isRevealed(key);
  const inside = h("div", { class: "container-inside", inert: hidden, "aria-hidden": hidden ? "true" : null }, components(component.components, context));
  return h("div", {
    class: `container${hasAccent ? " accented" : ""}${hidden ? " hidden" : ""}`,
    vars: hasAccent ? { "--accent-bar": `#${accent.toString(16).padStart(6, "0")}` } : {},
  }, inside, hidden ? spoilerCover(key, "message") : null);
}

const VIEWS = {
  [KIND.actionRow]: actionRow,
  [KIND.button]: button,
  [KIND.stringSelect]: stringSelect,
  [KIND.section]: section,
  [KIND.textDisplay]: (component, context) => markdown(component.content, context),
  [KIND.thumbnail]: thumbnail,
  [KIND.gallery]: gallery,
  [KIND.file]: fileComponent,
  [KIND.separator]: separator,
  [KIND.container]: container,
};

/** Elements for a list of components. A type this page does not know is named instead of dropped in silence. */
export function components(list, context) {
  return (list ?? []).map((component) => {
    const view = VIEWS[component.type];
    return view
      ? view(component, context)
      : h("p", { class: "missing" }, `A component of type ${component.type}, which this page cannot show.`);
  });
}
