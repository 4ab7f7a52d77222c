// Looking through Discord's message objects, without drawing anything.

export const FLAG = { ephemeral: 1 << 6, loading: 1 << 7, componentsV2: 1 << 15 };

export const KIND = {
  actionRow: 1, button: 2, stringSelect: 3, textInput: 4, section: 9, textDisplay: 10, thumbnail: 11,
  gallery: 12, file: 13, separator: 14, container: 17, label: 18,
};

/** Every component of a message or modal, outer before inner. */
export function* walk(components) {
  for (const component of components ?? []) {
    yield component;
    yield* walk(component.components);
    if (component.accessory) yield* walk([component.accessory]);
    if (component.component) yield* walk([component.component]);
  }
}

/** What a message says, in source form (Markdown), one entry per text. */
export function textsOf(message) {
  const texts = message.content ? [message.content] : [];
  for (const embed of message.embeds ?? []) {
    texts.push(...[embed.title, embed.description].filter(Boolean));
    for (const field of embed.fields ?? []) texts.push(`${field.name} ${field.value}`);
  }
  for (const component of walk(message.components)) {
    if (component.type === KIND.textDisplay) texts.push(component.content);
  }
  return texts;
}

export function buttonsOf(message) {
  return [...walk(message.components)].filter((component) => component.type === KIND.button);
}

export const isEphemeral = (message) => Boolean(message.flags & FLAG.ephemeral);
export const isLoading = (message) => Boolean(message.flags & FLAG.loading);

export function nameOf(user) {
  return user?.global_name || user?.username || user?.name || "someone";
}

/** The command a message answers ("war challenge"), or null. */
export function commandOf(message) {
  const metadata = message.interaction_metadata;
  if (metadata?.type !== 2) return null;
  return metadata.name ?? message.interaction?.name ?? null;
}
