// Pictures that move, for people who asked their system for less motion: the first frame, until they press "Play".

const asked = matchMedia("(prefers-reduced-motion: reduce)");
const MOST = 60; // posters kept; one that is gone is drawn again when it is needed
const posters = new Map(); // address -> the first frame as a data: URL, null while it is being drawn

/** Whether a picture (Discord's media object and where it is loaded from) is to stand still at first. */
export function isStill(media, href) {
  return asked.matches && (media?.content_type === "image/gif" || /\.gif(\?|$)/i.test(href ?? ""));
}

/** What to show in its place now. An `<img data-poster="…address…">` gets the frame by itself once it is drawn. */
export function posterOf(href) {
  if (!posters.has(href)) {
    posters.set(href, null);
    if (posters.size > MOST) posters.delete(posters.keys().next().value);
    draw(href);
  }
  return posters.get(href);
}

async function draw(href) {
  let poster = href; // what cannot be drawn (another site's) moves rather than staying away
  try {
    const image = new Image();
    image.src = href;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0); // of a moving picture always its first frame
    poster = canvas.toDataURL();
  } catch {
    // see above
  }
  if (posters.has(href)) posters.set(href, poster);
  for (const shown of document.querySelectorAll("img[data-poster]")) {
    if (shown.dataset.poster === href) shown.src = poster;
  }
}
