// The list that a string select opens: arrows, Home, End, typing a letter, Enter or Space, Escape.

import { h, isolated } from "./dom.js";
import { emoji } from "./emoji.js";

function optionRow(option, index, many) {
  return h("li", { role: "option", class: "menu-option", id: `select-option-${index}`, "aria-selected": String(Boolean(option.default)), data: { index } },
    emoji(option.emoji),
    h("span", { class: "option-text" }, isolated(option.label, { class: "option-label" }),
      option.description ? isolated(option.description, { class: "option-detail" }) : null),
    many ? h("span", { class: "tick", "aria-hidden": "true" }) : null);
}

const openMenus = new WeakMap(); // by the anchor that each stands at

/**
 * Opens the options of `component` at `anchor`; `choose(values)` is called at most once, with what was picked.
 * A select of one answers at the pick, a select of several when "Done" is pressed.
 */
export function openSelect(anchor, component, choose) {
  if (openMenus.has(anchor)) return; // the click that closed it: the browser has only not said so yet
  const options = component.options ?? [];
  const least = component.min_values ?? 1;
  const most = component.max_values ?? 1;
  const many = most > 1 || least === 0;
  const picked = new Set(options.flatMap((option, index) => (option.default ? [index] : [])));
  const rows = options.map((option, index) => optionRow(option, index, many));
  const list = h("ul", { role: "listbox", tabindex: "0", class: "menu-list", "aria-multiselectable": many ? "true" : null, "aria-label": component.placeholder ?? "Options" }, rows);
  const done = many ? h("button", { type: "button", class: "button primary" }, "Done") : null;
  const menu = h("div", { class: "select-menu", popover: "auto" }, list, done);
  let active = Math.max(0, options.findIndex((option) => option.default));

  function mark(index) {
    active = Math.min(Math.max(index, 0), options.length - 1);
    rows.forEach((row, at) => row.classList.toggle("active", at === active));
    list.setAttribute("aria-activedescendant", rows[active]?.id ?? "");
    rows[active]?.scrollIntoView({ block: "nearest" });
  }
  function finish() {
    const values = [...picked].sort((a, b) => a - b).map((index) => options[index].value);
    menu.hidePopover();
    choose(values);
  }
  function pick(index) {
    if (!options[index]) return;
    mark(index);
    if (!many) {
      picked.clear();
      picked.add(index);
      finish();
      return;
    }
    if (picked.has(index)) picked.delete(index);
    else if (picked.size < most) picked.add(index);
    rows[index].setAttribute("aria-selected", String(picked.has(index)));
    done.setAttribute("aria-disabled", String(picked.size < least));
  }
  const keys = {
    ArrowDown: () => mark(active + 1),
    ArrowUp: () => mark(active - 1),
    Home: () => mark(0),
    End: () => mark(options.length - 1),
    Enter: () => pick(active),
    " ": () => pick(active),
  };
  list.addEventListener("keydown", (event) => {
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      const wanted = event.key.toLowerCase();
      const order = [...options.keys()].map((at) => (at + active + 1) % options.length);
      const found = order.find((at) => options[at].label.toLowerCase().startsWith(wanted));
      if (found !== undefined) mark(found);
    }
  });
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[data-index]");
    if (row) pick(Number(row.dataset.index));
  });
  done?.addEventListener("click", () => {
    if (picked.size >= least) finish();
  });
  menu.addEventListener("toggle", (event) => {
    if (event.newState !== "closed") return;
    // This comes some time after the menu went: by now another menu may be open and have the focus.
    const lost = document.activeElement === document.body || menu.contains(document.activeElement);
    menu.remove();
    openMenus.delete(anchor);
    anchor.setAttribute("aria-expanded", "false");
    if (lost && anchor.isConnected) anchor.focus();
  });

  openMenus.set(anchor, menu);
  document.body.append(menu);
  menu.showPopover();
  anchor.setAttribute("aria-expanded", "true");
  place(menu, anchor);
  mark(active);
  list.focus();
}

/** Below the anchor, or above when there is more room; never over the edge of a narrow screen. */
function place(menu, anchor) {
  const box = anchor.getBoundingClientRect();
  const width = Math.min(Math.max(box.width, 240), innerWidth - 16);
  const below = innerHeight - box.bottom - 12;
  const above = box.top - 12;
  const up = below < 220 && above > below;
  menu.style.width = `${width}px`;
  menu.style.left = `${Math.min(Math.max(8, box.left), innerWidth - width - 8)}px`;
  menu.style.maxHeight = `${Math.max(140, Math.min(360, up ? above : below))}px`;
  menu.style.top = up ? "auto" : `${box.bottom + 4}px`;
  menu.style.bottom = up ? `${innerHeight - box.top + 4}px` : "auto";
}
