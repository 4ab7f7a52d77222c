// Commands as Discord describes them, flattened to what a person can send; and options checked. No DOM in here.

export const OPTION = {
  subcommand: 1, group: 2, string: 3, integer: 4, boolean: 5, user: 6, channel: 7, role: 8, mentionable: 9, number: 10, attachment: 11,
};
const CHAT_INPUT = 1;
const USER_MENU = 2;
const ADMINISTRATOR = 1n << 3n;

function leaves(name, node) {
  const inner = (node.options ?? []).filter((option) => option.type === OPTION.subcommand || option.type === OPTION.group);
  if (inner.length) return inner.flatMap((option) => leaves(`${name} ${option.name}`, option));
  return [{ name, description: node.description ?? "", options: node.options ?? [] }];
}

/** Whether a person sees a command at all, as in Discord's client: one that asks for permissions needs them all. */
export function mayUse(command, permissions) {
  const needed = command.default_member_permissions ?? null;
  const has = BigInt(permissions ?? 0);
  if (needed === null || has & ADMINISTRATOR) return true;
  return needed !== "0" && (has & BigInt(needed)) === BigInt(needed); // "0": for administrators only
}

/** [{name: "war challenge", description, options}], in the order of their registration. */
export function slashCommands(commands) {
  return (commands ?? []).filter((command) => (command.type ?? CHAT_INPUT) === CHAT_INPUT).flatMap((command) => leaves(command.name, command));
}

/** Commands of a person's menu. */
export function userCommands(commands) {
  return (commands ?? []).filter((command) => command.type === USER_MENU);
}

/** Commands for what was typed after the slash: those that begin so, then those that hold every word of it. */
export function matching(commands, typed) {
  const wanted = typed.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const starts = commands.filter((command) => command.name.startsWith(wanted));
  const holds = commands.filter((command) => !starts.includes(command) && words.every((word) => `${command.name} ${command.description.toLowerCase()}`.includes(word)));
  return [...starts, ...holds];
}

/** True when a value is picked from a list and cannot be typed freely. */
export function isPicked(option) {
  return [OPTION.boolean, OPTION.user, OPTION.channel, OPTION.mentionable].includes(option.type) || Boolean(option.choices?.length);
}

/** The value of a freely typed option: {value} or {error: sentence}. */
export function typedValue(option, text) {
  const { name, type } = option;
  if (type === OPTION.integer || type === OPTION.number) {
    const shape = type === OPTION.integer ? /^[+-]?\d{1,15}$/ : /^[+-]?\d+(\.\d+)?$/;
    if (!shape.test(text.trim())) return { error: `${name}: type a ${type === OPTION.integer ? "whole " : ""}number.` };
    const value = Number(text);
    if (option.min_value !== undefined && value < option.min_value) return { error: `${name}: at least ${option.min_value}.` };
    if (option.max_value !== undefined && value > option.max_value) return { error: `${name}: at most ${option.max_value}.` };
    return { value };
  }
  if (type === OPTION.role || type === OPTION.attachment) return { error: `${name}: this page has no roles or uploads to choose.` };
  if (option.min_length && text.length < option.min_length) return { error: `${name}: at least ${option.min_length} characters.` };
  if (option.max_length && text.length > option.max_length) return { error: `${name}: at most ${option.max_length} characters.` };
  return { value: text };
}
