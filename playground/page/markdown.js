// Discord's Markdown as plain data: blocks of inline nodes. No DOM in here, so it can be read and tested alone.
//
// block:  {kind: "paragraph" | "heading" (level) | "subtext" | "quote" (blocks) | "list" (ordered, start, items)
//          | "codeblock" (text, language) | "gap"}, with `inline` where it holds text
// inline: {kind: "text" | "code", text}; {kind: "bold" | "italic" | "underline" | "strike" | "spoiler", children};
//         {kind: "link", href, children}; {kind: "user" | "role" | "channel", id}; {kind: "command", name, id};
//         {kind: "time", unix, style}; {kind: "emoji", name, id}; {kind: "everyone", text}

const MAX_DEPTH = 10; // hostile text can nest for ever; past this depth it stays as typed

const FENCE = /```(?:([a-zA-Z0-9_+.#-]*)\n)?([\s\S]*?)```\n?/g;
const HEADING = /^(#{1,3}) +(.*)$/;
const SUBTEXT = /^-# +(.*)$/;
const LIST_ITEM = /^( *)([-*]|\d{1,9}\.) +(.*)$/;

export function parse(text, depth = 0) {
  const blocks = [];
  let end = 0;
  for (const fence of text.matchAll(FENCE)) {
    if (fence[2].trim() === "") continue;
    blocks.push(...parseLines(text.slice(end, fence.index).replace(/\n$/, ""), depth));
    blocks.push({ kind: "codeblock", text: fence[2].replace(/\n$/, ""), language: fence[1] ?? "" });
    end = fence.index + fence[0].length;
  }
  blocks.push(...parseLines(text.slice(end), depth));
  return blocks;
}

function parseLines(text, depth) {
  if (text === "") return [];
  const lines = text.split("\n");
  const blocks = [];
  let plain = [];
  const endParagraph = () => {
    // Empty lines at the edges are space between blocks; those in the middle belong to the paragraph.
    const before = plain.length;
    while (plain.length && plain[0].trim() === "") plain.shift();
    if (before > plain.length && blocks.length) blocks.push({ kind: "gap" });
    let after = false;
    while (plain.length && plain.at(-1).trim() === "") { plain.pop(); after = true; }
    if (plain.length) {
      blocks.push({ kind: "paragraph", inline: parseInline(plain.join("\n")) });
      if (after) blocks.push({ kind: "gap" });
    }
    plain = [];
  };
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i];
    let match;
    if ((match = HEADING.exec(line))) {
      endParagraph();
      blocks.push({ kind: "heading", level: match[1].length, inline: parseInline(match[2]) });
    } else if ((match = SUBTEXT.exec(line))) {
      endParagraph();
      blocks.push({ kind: "subtext", inline: parseInline(match[1]) });
    } else if (line.startsWith(">>> ") && depth === 0) {
      endParagraph();
      const rest = [line.slice(4), ...lines.slice(i + 1)].join("\n");
      blocks.push({ kind: "quote", blocks: parse(rest, depth + 1) });
      return blocks;
    } else if (line.startsWith("> ") && depth === 0) {
      endParagraph();
      const quoted = [];
      while (i < lines.length && lines[i].startsWith("> ")) quoted.push(lines[i++].slice(2));
      i -= 1;
      blocks.push({ kind: "quote", blocks: parse(quoted.join("\n"), depth + 1) });
    } else if (LIST_ITEM.test(line)) {
      endParagraph();
      const items = [];
      while (i < lines.length && (match = LIST_ITEM.exec(lines[i]))) {
        items.push({ indent: match[1].length, marker: match[2], text: match[3] });
        i += 1;
      }
      i -= 1;
      blocks.push(...nestLists(items));
    } else {
      plain.push(line);
    }
  }
  endParagraph();
  return blocks;
}

/** Flat items with indents -> lists within items: an item indented further than the one before belongs to it. */
function nestLists(items) {
  const lists = [];
  let i = 0;
  while (i < items.length) {
    const { indent, marker } = items[i];
    const ordered = marker.endsWith(".");
    const list = { kind: "list", ordered, start: ordered ? Number.parseInt(marker, 10) : 1, items: [] };
    while (i < items.length && items[i].indent <= indent && items[i].marker.endsWith(".") === ordered) {
      const inline = parseInline(items[i].text);
      i += 1;
      const inner = [];
      while (i < items.length && items[i].indent > indent) inner.push(items[i++]);
      // Going down one indent at a time ends, because `inner` is always shorter than `items`.
      list.items.push({ inline, lists: inner.length ? nestLists(inner) : [] });
    }
    lists.push(list);
  }
  return lists;
}

// ---- inline ------------------------------------------------------------------------------------------------

const ESCAPABLE = /[!-/:-@[-`{-~]/;
const CODE = /(`{1,2})([^`](?:[\s\S]*?[^`])??)\1(?!`)/y;
const MASKED_LINK = /\[((?:\\.|[^[\]\\])+)\]\(<?(https?:\/\/[^\s<>()]+(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?: +"[^"\n]*")?\)/y;
const BARE_LINK = /https?:\/\/[^\s<>]*[^\s<>.,:;!?"')\]*_|~\\]/y;
const EVERYONE = /@(?:everyone|here)\b/y;
const ANGLED = [
  [/<@!?(\d{1,20})>/y, (m) => ({ kind: "user", id: m[1] })],
  [/<@&(\d{1,20})>/y, (m) => ({ kind: "role", id: m[1] })],
  [/<#(\d{1,20})>/y, (m) => ({ kind: "channel", id: m[1] })],
  [/<\/([^\s:<>][^:<>\n]{0,99}):(\d{1,20})>/y, (m) => ({ kind: "command", name: m[1], id: m[2] })],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, (m) => ({ kind: "time", unix: Number(m[1]), style: m[2] ?? "f" })],
  [/<a?:(\w{2,32}):(\d{1,20})>/y, (m) => ({ kind: "emoji", name: m[1], id: m[2] })],
  [/<(https?:\/\/[^\s<>]+)>/y, (m) => ({ kind: "link", href: m[1], children: [{ kind: "text", text: m[1] }] })],
];
// Longer delimiters first: "**" is not two "*".
const SPANS = [["**", "bold"], ["__", "underline"], ["~~", "strike"], ["||", "spoiler"], ["*", "italic"], ["_", "italic"]];

function matchAt(expression, text, at) {
  expression.lastIndex = at;
  return expression.exec(text);
}

const isWord = (character) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/**
 * Where the span opened by `delimiter` closes, or -1. Escapes and code are stepped over. Of a run of the same
 * character the last ones close, so "***x***" is bold around italic; a single "*" does not close on "**".
 */
function closerOf(text, from, delimiter) {
  const single = delimiter.length === 1;
  for (let i = from; i < text.length; i += 1) {
    if (text[i] === "\\") { i += 1; continue; }
    if (text[i] === "`") {
      const code = matchAt(CODE, text, i);
      if (code) { i += code[0].length - 1; continue; }
    }
    if (text[i] !== delimiter[0]) continue;
    let end = i;
    while (text[end] === delimiter[0]) end += 1;
    const length = end - i;
    const closes = single ? length % 2 === 1 && !/\s/.test(text[end - 2] ?? " ") : length >= 2;
    const at = end - delimiter.length;
    if (closes && at > from && !(delimiter === "_" && isWord(text[end]))) return at;
    i = end - 1;
  }
  return -1;
}

function spanAt(text, at, depth) {
  for (const [delimiter, kind] of SPANS) {
    if (!text.startsWith(delimiter, at)) continue;
    const from = at + delimiter.length;
    if (kind === "italic" && (/\s/.test(text[from] ?? " ") || (delimiter === "_" && isWord(text[at - 1])))) continue;
    const closer = closerOf(text, from, delimiter);
    if (closer < 0) continue;
    const children = parseInline(text.slice(from, closer), depth + 1);
    return { node: { kind, children }, length: closer + delimiter.length - at };
  }
  return null;
}

function specialAt(text, at, depth) {
  const character = text[at];
  let match;
  if (character === "`" && (match = matchAt(CODE, text, at))) {
    return { node: { kind: "code", text: match[2] }, length: match[0].length };
  }
  if (character === "<") {
    for (const [expression, build] of ANGLED) {
      if ((match = matchAt(expression, text, at))) return { node: build(match), length: match[0].length };
    }
  }
  if (character === "[" && (match = matchAt(MASKED_LINK, text, at))) {
    return { node: { kind: "link", href: match[2], children: parseInline(match[1], depth + 1) }, length: match[0].length };
  }
  if (character === "h" && !isWord(text[at - 1]) && (match = matchAt(BARE_LINK, text, at))) {
    return { node: { kind: "link", href: match[0], children: [{ kind: "text", text: match[0] }] }, length: match[0].length };
  }
  if (character === "@" && (match = matchAt(EVERYONE, text, at))) {
    return { node: { kind: "everyone", text: match[0] }, length: match[0].length };
  }
  return "*_~|".includes(character) ? spanAt(text, at, depth) : null;
}

export function parseInline(text, depth = 0) {
  if (depth > MAX_DEPTH) return [{ kind: "text", text }];
  const nodes = [];
  let plain = "";
  const endText = () => {
    if (plain) nodes.push({ kind: "text", text: plain });
    plain = "";
  };
  let i = 0;
  while (i < text.length) {
    if (text[i] === "\\" && ESCAPABLE.test(text[i + 1] ?? "")) {
      plain += text[i + 1];
      i += 2;
      continue;
    }
    const special = specialAt(text, i, depth);
    if (special) {
      endText();
      nodes.push(special.node);
      i += special.length;
    } else {
      plain += text[i];
      i += 1;
    }
  }
  endText();
  return nodes;
}
