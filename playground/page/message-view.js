// One message as an element: who, when, what for, its body, and what only the viewer sees about it.

import { avatar } from "./avatars.js";
import { components } from "./components.js";
import { h, isolated } from "./dom.js";
import { embeds } from "./embeds.js";
import { markdown } from "./markdown-view.js";
import { attachments } from "./media.js";
import { FLAG, commandOf, isEphemeral, isLoading, nameOf } from "./message-tree.js";
import { stamp } from "./times.js";

/** "Alice used /war challenge", or whose press brought this message, or the message it answers. */
function occasion(message, context) {
  const metadata = message.interaction_metadata;
  if (metadata?.user) {
    const who = h("span", { class: "who" }, avatar(context.user(metadata.user)), isolated(nameOf(context.user(metadata.user))));
    const command = commandOf(message);
    const what = metadata.type === 2
      ? [" used ", command ? h("button", { type: "button", class: "mention", data: { command } }, isolated(`/${command}`)) : "a command"]
      : " pressed a button";
    return h("div", { class: "occasion" }, who, what);
  }
  const earlier = message.referenced_message;
  if (!earlier) return null;
  return h("div", { class: "occasion" }, "in answer to ", isolated(nameOf(context.user(earlier.author))));
}

function body(message, context) {
  if (isLoading(message)) {
    return h("div", { class: "thinking" }, h("span", { class: "dots", "aria-hidden": "true" }), isolated(nameOf(message.author)), " is thinking…");
  }
  if (message.flags & FLAG.componentsV2) return components(message.components, context);
  return [
    message.content ? markdown(message.content, context) : null,
    attachments(message, context),
    embeds(message, context),
    components(message.components, context),
  ];
}

function failure(context) {
  if (!context.failure) return null;
  const { sentence, reason } = context.failure;
  return h("p", { class: "failure", role: "alert" }, sentence, reason ? h("span", { class: "reason" }, reason) : null);
}

function privateNote(message) {
  if (!isEphemeral(message)) return null;
  return h("p", { class: "private" }, "Only you can see this",
    h("button", { type: "button", class: "plain", data: { dismiss: message.id } }, "Dismiss"));
}

/** The `<li>` of a message. `compact` leaves out the header of one that follows its author's last. */
export function messageView(message, context, compact) {
  const author = context.user(message.author);
  const edited = message.edited_timestamp
    ? h("span", { class: "edited", title: new Date(message.edited_timestamp).toLocaleString() }, "(edited)")
    : null;
  const header = h("div", { class: "message-header" },
    h("span", { class: author.bot ? "author app-author" : "author" }, isolated(nameOf(author))),
    author.bot ? h("span", { class: "app-badge" }, "APP") : null,
    stamp(message.timestamp), edited);
  const pinged = (message.mentions ?? []).some((user) => user.id === context.viewerId);
  const classes = ["message", compact && "compact", isEphemeral(message) && "ephemeral", pinged && "pinged"].filter(Boolean).join(" ");
  return h("li", { class: classes, data: { key: message.id, message: message.id } },
    h("article", { tabindex: "-1", "aria-label": `${nameOf(author)}${isEphemeral(message) ? ", only for you" : ""}` },
      occasion(message, context),
      compact ? null : avatar(author),
      header,
      // Edits are announced in short by announcer.js; the whole board read again at each press would be noise.
      h("div", { class: "message-body", "aria-live": "off" }, body(message, context)),
      failure(context),
      privateNote(message)));
}
