// A modal that the bot opens: labels, text inputs and string selects in a dialog. Submitting closes it.

import { h, isolated } from "./dom.js";
import { markdown } from "./markdown-view.js";
import { KIND } from "./message-tree.js";

function textInput(component, id) {
  const long = component.style === 2;
  const required = component.required !== false;
  const field = h(long ? "textarea" : "input", {
    id, name: component.custom_id, required, placeholder: component.placeholder, rows: long ? 4 : null,
    minlength: component.min_length, maxlength: component.max_length ?? 4000, autocomplete: "off", type: long ? null : "text",
  });
  field.value = component.value ?? "";
  return field;
}

function selectInput(component, id) {
  const many = (component.max_values ?? 1) > 1;
  return h("select", { id, name: component.custom_id, multiple: many, required: component.required !== false },
    many ? null : h("option", { value: "" }, component.placeholder ?? "Choose"),
    (component.options ?? []).map((option) => h("option", { value: option.value, selected: Boolean(option.default) }, option.label)));
}

function field(component, label, description, index) {
  const id = `modal-field-${index}`;
  const input = component.type === KIND.stringSelect ? selectInput(component, id) : textInput(component, id);
  if (description) input.setAttribute("aria-describedby", `${id}-why`);
  return h("div", { class: "modal-field" },
    h("label", { for: id }, isolated(label ?? component.custom_id), component.required === false ? null : h("span", { class: "required", "aria-hidden": "true" }, " *")),
    description ? h("p", { id: `${id}-why`, class: "subtext" }, isolated(description)) : null, input);
}

/** Rows of a modal: old ones wrap the input in an action row, new ones in a label; text stands between. */
function rows(modal, context) {
  return (modal.components ?? []).flatMap((row, index) => {
    if (row.type === KIND.textDisplay) return [markdown(row.content, context)];
    if (row.type === KIND.label) return [field(row.component, row.label, row.description, index)];
    return (row.components ?? []).map((component) => field(component, component.label, null, index));
  });
}

function valuesOf(form) {
  const values = {};
  for (const element of form.querySelectorAll("[name]")) {
    values[element.name] = element.multiple ? [...element.selectedOptions].map((option) => option.value) : element.value;
  }
  return values;
}

export function openModal(modal, context, submit) {
  const form = h("form", { class: "modal-form" },
    h("h2", { id: "modal-title" }, isolated(modal.title ?? "")),
    rows(modal, context),
    h("div", { class: "dialog-buttons" },
      h("button", { type: "button", class: "button secondary", data: { cancel: "" } }, "Cancel"),
      h("button", { type: "submit", class: "button primary" }, "Submit")));
  const dialog = h("dialog", { class: "modal", "aria-labelledby": "modal-title" }, form);
  dialog.addEventListener("close", () => dialog.remove());
  form.querySelector("[data-cancel]").addEventListener("click", () => dialog.close());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(valuesOf(form));
    dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  form.querySelector("[name]")?.focus();
}
