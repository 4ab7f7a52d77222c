// The page put together: every part gets its elements, the store, and what it may do.

import { Actions } from "./actions.js";
import { Announcer } from "./announcer.js";
import { AnswerTime } from "./answer-time.js";
import { api } from "./api.js";
import { BotPanel } from "./bot-panel.js";
import { Channels, inOrder } from "./channels.js";
import { slashCommands } from "./command-list.js";
import { Composer } from "./composer.js";
import { Drawer } from "./drawer.js";
import { Hints } from "./hints.js";
import { Live } from "./live.js";
import { Lightbox } from "./media.js";
import { channelIntro, MessageList } from "./messages.js";
import { nameOf } from "./message-tree.js";
import { openModal } from "./modal.js";
import { Opponent } from "./opponent.js";
import { addressAs, People, userCalled } from "./people.js";
import { Store } from "./store.js";
import { startTheme } from "./theme.js";
import { startClock } from "./times.js";
import { Toasts } from "./toast.js";

const OPPONENT_PLAYS = "warbot-bob-plays"; // shared by the tabs of this browser
const INTRO_COMMANDS = ["war challenge", "war quick"];

const byId = (id) => document.getElementById(id);
const store = new Store();
const toasts = new Toasts(byId("toasts"));
const toast = (sentence) => toasts.show(sentence);
const actions = new Actions(store, { toast, openModal: (modal, submit) => openModal(modal, textContext(), submit) });
const live = new Live(store, (work) => actions.attempt(work));
const composer = new Composer({
  form: byId("composer"), input: byId("composer-input"), token: byId("composer-token"), chips: byId("composer-chips"), suggestions: byId("suggestions"),
}, store, actions, toast);
const drawer = new Drawer({ panel: byId("sidebar"), button: byId("drawer-button"), veil: byId("veil") });
const lightbox = new Lightbox(document.body);
const messages = new MessageList({ list: byId("messages"), scroller: byId("scroller"), jump: byId("jump") }, store, {
  press: (message, customId, values) => actions.press(message, customId, values),
  command: (name) => composer.begin(name),
  channel: openChannel,
  large: (href, description) => lightbox.show(href, description),
});
const opponent = new Opponent(store, (user, message, customId) => actions.attempt(() => actions.pressFor(user, message, customId)));
const hints = new Hints(byId("hints"), store);
new Announcer(byId("announcer"), store);
new AnswerTime(byId("answer-time"), store);
new BotPanel({ status: byId("bot-status"), pid: byId("bot-pid"), menu: byId("bot-menu") }, store, actions);
new Channels(byId("channel-list"), store, openChannel);
new People(byId("people-list"), store, become);
startTheme(byId("theme-button"));
startClock();

/** What Markdown needs outside of a message (a modal's text). */
function textContext() {
  return {
    viewerId: store.viewerId, userName: (id) => store.userName(id), channelName: (id) => store.channelById(id)?.name ?? "unknown", isRevealed: () => true,
  };
}

// ---- where one is, and as whom ----

function openChannel(id) {
  if (!store.channelById(id)) {
    toast("That channel is not in this server.");
    return;
  }
  drawer.close();
  if (id === store.channelId) return;
  store.setChannel(id);
  rememberPlace();
  live.load();
}

function become(id) {
  if (id === store.viewerId) return;
  store.setViewer(id);
  rememberPlace();
  live.follow();
}

function rememberPlace() {
  history.replaceState(null, "", addressAs(store.viewer, store.world.users, store.channelId));
}

function drawHeader() {
  const channel = store.channelById(store.channelId);
  if (!channel) return;
  const thread = channel.type === 11;
  byId("channel-title").textContent = channel.name;
  byId("channel-mark").textContent = thread ? "⌁" : "#";
  for (const element of document.querySelectorAll("[data-server-name]")) element.textContent = store.world.server.name;
  document.title = `#${channel.name} · ${store.world.server.name}`;
  const commands = slashCommands(store.world.commands).filter((command) => INTRO_COMMANDS.includes(command.name));
  byId("intro").replaceChildren(...channelIntro(channel, commands, (name) => composer.begin(name)).filter(Boolean));
  byId("starting").hidden = store.world.ready;
}

function drawOpponent() {
  const { person } = opponent;
  byId("opponent").hidden = !person;
  if (!person) return;
  const itself = person.id === store.viewerId;
  byId("opponent-switch").checked = opponent.on && !itself;
  byId("opponent-switch").disabled = itself;
  byId("opponent-label").textContent = opponent.on && !itself ? `${nameOf(person)} plays himself` : `I play ${nameOf(person)}`;
}

function setOpponent(on) {
  opponent.on = on;
  localStorage.setItem(OPPONENT_PLAYS, String(on));
  drawOpponent();
}

for (const kind of ["world", "channel"]) store.on(kind, drawHeader);
for (const kind of ["world", "viewer"]) store.on(kind, drawOpponent);
store.on("line", ({ open }) => {
  byId("offline").hidden = open;
});
store.on("commanded", () => messages.toEnd());
let channelName = "";
let replaced = null; // the channel that *Start over* of this page is about to replace, while another one is open
store.on("channel", () => {
  channelName = store.channelById(store.channelId)?.name ?? channelName;
});
store.on("world", () => {
  const fresh = replaced && store.world.channels.find((channel) => channel.name === replaced.name && channel.id !== replaced.id);
  if (fresh) {
    replaced = null;
    openChannel(fresh.id);
  }
  if (!store.channelId || store.channelById(store.channelId)) return;
  // *Start over* (here or in another tab) puts a new channel of the same name in the place of the old one: two
  // events, one right after the other.
  setTimeout(() => {
    if (store.channelById(store.channelId)) return;
    const channels = inOrder(store.world.channels);
    openChannel((channels.find((channel) => channel.name === channelName) ?? channels[0]).id);
  }, 100);
});

// ---- the page's own buttons ----

byId("opponent-switch").addEventListener("change", (event) => setOpponent(event.target.checked));
addEventListener("storage", (event) => {
  if (event.key !== OPPONENT_PLAYS) return;
  opponent.on = event.newValue !== "false";
  drawOpponent();
});
byId("hints-button").addEventListener("click", () => {
  drawer.close();
  hints.restart();
});
byId("start-over").addEventListener("click", async () => {
  const button = byId("start-over");
  if (button.getAttribute("aria-busy") === "true") return;
  drawer.close();
  const stage = inOrder(store.world.channels)[0]; // another takes its place, in which one watches the scene being played
  replaced = store.channelId === stage.id ? null : stage;
  button.setAttribute("aria-busy", "true");
  const answer = await actions.attempt(() => api.startOver());
  button.removeAttribute("aria-busy");
  replaced = null;
  if (!answer) return;
  await live.refreshWorld();
  openChannel(answer.channel.id);
  if (!answer.stands) toast("The opening scene does not stand; the bot's terminal says why.");
});
for (const [button, question, add, then] of [
  ["add-person", "Name of the new person", api.addUser, (user) => become(user.id)],
  ["add-channel", "Name of the new channel", api.addChannel, (channel) => openChannel(channel.id)],
]) {
  byId(button).addEventListener("click", () => askName(question, async (name) => {
    const made = await actions.attempt(() => add(name));
    if (!made) return;
    await live.refreshWorld();
    then(made);
  }));
}

function askName(question, use) {
  const dialog = byId("ask-name");
  const input = dialog.querySelector("input");
  dialog.querySelector("label").textContent = question;
  input.value = "";
  dialog.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    dialog.close();
    use(input.value.trim());
  };
  dialog.querySelector("[data-cancel]").onclick = () => dialog.close();
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, textarea, select") || document.querySelector("dialog[open]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    composer.openPicker();
  }
});

// ---- begin ----

async function begin() {
  await live.refreshWorld();
  if (!store.world) {
    setTimeout(begin, 1500); // the server is still starting, or gone: the toast says so
    return;
  }
  const { users, channels } = store.world;
  const wanted = new URLSearchParams(location.search).get("as");
  const named = wanted ? userCalled(wanted, users) : undefined;
  if (wanted && !named) toast(`Nobody here is called “${wanted.slice(0, 60)}”.`);
  opponent.on = localStorage.getItem(OPPONENT_PLAYS) !== "false";
  // A tab opened as Bob means that a person plays him, in every tab of this browser.
  if (named && named.id === opponent.person?.id) setOpponent(false);
  store.viewerId = (named ?? users[0]).id;
  store.channelId = store.channelById(location.hash.slice(1))?.id ?? inOrder(channels)[0].id;
  store.tell("channel");
  drawOpponent();
  rememberPlace();
  live.follow();
}

begin();
