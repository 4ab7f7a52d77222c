// On a narrow screen the channel list lies in a drawer: closed it cannot be reached by Tab, open it holds the focus.

const NARROW = "(max-width: 760px)";

export class Drawer {
  #panel;
  #button;
  #veil;
  #narrow = matchMedia(NARROW);
  #open = false;

  constructor({ panel, button, veil }) {
    this.#panel = panel;
    this.#button = button;
    this.#veil = veil;
    button.addEventListener("click", () => this.#set(!this.#open));
    veil.addEventListener("click", () => this.close());
    this.#narrow.addEventListener("change", () => this.#set(false));
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.#open) this.close();
    });
    this.#set(false);
  }

  close() {
    if (!this.#open) return;
    this.#set(false);
    this.#button.focus();
  }

  #set(open) {
    this.#open = open && this.#narrow.matches;
    document.body.classList.toggle("drawer-open", this.#open);
    this.#panel.inert = this.#narrow.matches && !this.#open;
    this.#veil.hidden = !this.#open;
    this.#button.setAttribute("aria-expanded", String(this.#open));
    if (this.#open) (this.#panel.querySelector("[aria-current]") ?? this.#panel.querySelector("button")).focus();
  }
}
