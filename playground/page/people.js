// Who one plays as: a radio group of everybody, a link that opens a tab as somebody else, and a way to add people.

import { avatar } from "./avatars.js";
import { h, isolated } from "./dom.js";
import { nameOf } from "./message-tree.js";

/** The address of this page as seen by `user`; by name where the name is one of a kind, for it reads better. */
export function addressAs(user, users, channelId) {
  const unique = users.filter((other) => nameOf(other) === nameOf(user)).length === 1;
  return `?as=${encodeURIComponent(unique ? nameOf(user) : user.id)}${channelId ? `#${channelId}` : ""}`;
}

/** Whom `?as=` names: an id or a name, in any case of letters; undefined when nobody. */
export function userCalled(wanted, users) {
  const name = wanted.trim().toLowerCase();
  return users.find((user) => user.id === wanted) ?? users.find((user) => nameOf(user).toLowerCase() === name);
}

export class People {
  #list;
  #store;
  #become;

  /** `become(id)` makes that person the viewer. */
  constructor(list, store, become) {
    this.#list = list;
    this.#store = store;
    this.#become = become;
    for (const kind of ["world", "viewer", "channel"]) store.on(kind, () => this.#draw());
    list.addEventListener("click", (event) => {
      const radio = event.target.closest("[role=radio]");
      if (radio) this.#become(radio.dataset.user);
    });
    list.addEventListener("keydown", (event) => this.#keyed(event));
  }

  #draw() {
    const { world, viewerId, channelId } = this.#store;
    if (!world) return;
    const focused = this.#list.contains(document.activeElement) ? document.activeElement.dataset.user : null;
    this.#list.replaceChildren(...world.users.map((user) => this.#row(user, user.id === viewerId, channelId)));
    if (focused) this.#radio(focused)?.focus();
    this.#radio(viewerId)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #row(user, chosen, channelId) {
    const name = nameOf(user);
    return h("li", { role: "none", class: "person" },
      h("button", { type: "button", role: "radio", class: "person-choice", "aria-checked": String(chosen), tabindex: chosen ? "0" : "-1", title: name, data: { user: user.id } },
        avatar(user), isolated(name, { class: "person-name" })),
      h("a", { class: "tab-link", href: addressAs(user, this.#store.world.users, channelId), target: "_blank", title: `Open another tab as ${name}`, "aria-label": `Open another tab as ${name}` }, "↗"));
  }

  #radio(id) {
    return this.#list.querySelector(`[data-user="${CSS.escape(id ?? "")}"]`);
  }

  #keyed(event) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step || event.target.getAttribute("role") !== "radio") return;
    event.preventDefault();
    const { users } = this.#store.world;
    const at = users.findIndex((user) => user.id === event.target.dataset.user);
    const next = users[(at + step + users.length) % users.length];
    this.#radio(next.id).focus();
    this.#become(next.id);
  }
}
