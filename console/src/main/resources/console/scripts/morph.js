/**
 * Makes one element like another with as little change as possible, so that focus, scroll positions,
 * selections and what was typed stay where they are.
 *
 * Children with an id are found by it, the others by their place.
 */
export function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
    return;
  }
  alignAttributes(old, fresh);
  // Somebody is writing here, or a script has filled it.
  if (!old.hasAttribute("data-keep")) alignChildren(old, fresh);
}

/** What people have opened stays open. */
const THEIRS = new Set(["open"]);

function alignAttributes(old, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !THEIRS.has(name)) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !THEIRS.has(name)) old.removeAttribute(name);
  }
}

function alignChildren(old, fresh) {
  const known = new Map([...old.children].filter(child => child.id).map(child => [child.id, child]));
  let spot = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    const match = wanted.id ? known.get(wanted.id) : isAlike(spot, wanted) ? spot : null;
    if (!match) {
      old.insertBefore(document.importNode(wanted, true), spot);
      continue;
    }
    if (match === spot) spot = spot.nextSibling;
    else old.insertBefore(match, spot);
    morph(match, wanted);
  }
  while (spot) {
    const gone = spot;
    spot = spot.nextSibling;
    gone.remove();
  }
}

function isAlike(one, other) {
  return one && !one.id && one.nodeType === other.nodeType && one.nodeName === other.nodeName;
}
