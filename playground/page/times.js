// Discord's timestamps (<t:unix:style>) and the clock that keeps the relative ones counting.

import { h } from "./dom.js";

const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
};

// [unit, its seconds, how many of it are told as one of the next]. Discord's client rounds: a challenge that has just
// been given a quarter of an hour has 15 minutes, and not 14.
const UNITS = [["second", 1, 60], ["minute", 60, 60], ["hour", 3_600, 24], ["day", 86_400, 30], ["month", 2_592_000, 12], ["year", 31_536_000, Infinity]];

/** "in 15 minutes", "3 seconds ago"; both times in Unix seconds. */
export function relative(unix, now = Date.now() / 1000) {
  const seconds = Math.round(unix - now);
  const rounded = (size) => Math.sign(seconds) * Math.round(Math.abs(seconds) / size);
  const [unit, size] = UNITS.find(([, length, most]) => Math.abs(rounded(length)) < most);
  const words = new Intl.RelativeTimeFormat("en", { numeric: seconds === 0 ? "auto" : "always" });
  return words.format(rounded(size), unit);
}

export function formatted(unix, style) {
  if (style === "R") return relative(unix);
  return new Intl.DateTimeFormat("en-GB", STYLES[style] ?? STYLES.f).format(new Date(unix * 1000));
}

export function timestamp(unix, style = "f") {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return document.createTextNode("<a time out of range>");
  return h("time", {
    class: "timestamp",
    datetime: date.toISOString(),
    title: formatted(unix, "F"),
    data: { relative: style === "R" ? unix : null },
  }, formatted(unix, style));
}

/** The small time beside a name: today's by the clock, older ones with their date. */
export function stamp(iso) {
  const date = new Date(iso);
  const today = new Date().toDateString() === date.toDateString();
  const text = new Intl.DateTimeFormat("en-GB", today ? STYLES.t : { dateStyle: "short", timeStyle: "short" }).format(date);
  return h("time", { class: "stamp", datetime: date.toISOString(), title: formatted(date / 1000, "F") }, text);
}

/** Keeps every relative time on the page true, once a second. */
export function startClock() {
  setInterval(() => {
    for (const element of document.querySelectorAll("time[data-relative]")) {
      const text = relative(Number(element.dataset.relative));
      if (element.textContent !== text) element.firstChild.data = text;
    }
  }, 1000);
}
