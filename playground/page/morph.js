// Changing a drawn message into its new drawing while keeping every element that can be kept. So the focused
// button stays focused, a picture that did not change is not loaded again, and nothing jumps.

function syncAttributes(from, to) {
  for (const { name } of [...from.attributes]) {
    if (!to.hasAttribute(name)) from.removeAttribute(name);
  }
  for (const { name, value } of [...to.attributes]) {
    if (from.getAttribute(name) === value) continue;
    // The content security policy forbids style attributes, but not what a script sets through the CSSOM.
    if (name === "style") from.style.cssText = to.style.cssText;
    else from.setAttribute(name, value);
  }
}

function sameKind(a, b) {
  return a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.dataset?.key === b.dataset?.key;
}

/** Make `from` look like `to`; `to` is used up. Both must be of the same kind (node name and data-key). */
export function morph(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  syncAttributes(from, to);
  let old = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    // A part that vanished leaves a gap: look ahead for the element that this one continues.
    let match = old;
    while (match && !sameKind(match, wanted)) match = match.nextSibling;
    if (!match) {
      from.insertBefore(wanted, old);
      continue;
    }
    while (old !== match) {
      const gone = old;
      old = old.nextSibling;
      gone.remove();
    }
    old = match.nextSibling;
    morph(match, wanted);
  }
  while (old) {
    const gone = old;
    old = old.nextSibling;
    gone.remove();
  }
}
