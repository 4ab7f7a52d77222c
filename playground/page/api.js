// The playground's own HTTP interface. Everything that leaves or enters this page goes through here.

/** The server said no, in a sentence meant for people. */
export class ApiError extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

async function request(method, path, body) {
  let response;
  try {
    response = await fetch(`/playground/${path}`, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new ApiError("The playground does not answer. Is it still running in its terminal?", 0);
  }
  const text = await response.text();
  let answer = null;
  try {
    answer = text === "" ? null : JSON.parse(text);
  } catch {
    throw new ApiError(`The playground answered ${response.status} with something that is not JSON.`, response.status);
  }
  if (!response.ok) throw new ApiError(answer?.error ?? `The playground answered ${response.status}.`, response.status);
  return answer;
}

const part = encodeURIComponent;

export const api = {
  world: () => request("GET", "world"),
  messages: (channel, viewer) => request("GET", `channels/${part(channel)}/messages?as=${part(viewer)}`),
  // A little longer than Discord's 3 s, so that the server can say why nothing came.
  interaction: (id) => request("GET", `interactions/${part(id)}?wait=4`),
  command: (body) => request("POST", "commands", body),
  click: (body) => request("POST", "clicks", body),
  addUser: (name) => request("POST", "users", { name }),
  addChannel: (name) => request("POST", "channels", { name }),
  bot: (order) => request("POST", "bot", { do: order }),
  startOver: () => request("POST", "start-over"),
};

/**
 * The stream of what happens, as `viewer` may see it. `onOpen` runs at every (re)connection, so that the
 * caller can fetch what it missed; `onLost` when the line breaks (the browser tries again by itself).
 * Returns a function that closes the stream.
 */
export function listen(viewer, { onEvent, onOpen, onLost }) {
  const source = new EventSource(`/playground/events?as=${part(viewer)}`);
  source.addEventListener("open", onOpen);
  source.addEventListener("error", onLost);
  const read = (event) => onEvent(JSON.parse(event.data));
  source.addEventListener("message", read);
  return () => source.close();
}
