/**
 * Changes one element into another with minimal DOM changes, so that focus, scroll positions, selections and
 * input are kept.
 *
 * Children are matched by id, or else by position.
 */
export function morph(old, fresh) {
  const focused = document.activeElement;
  const selection = [focused?.selectionStart, focused?.selectionEnd];
  align(old, fresh);
  if (focused !== document.activeElement && focused?.isConnected) restore(focused, selection);
}

function align(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue;
    return;
  }
  alignAttributes(old, fresh);
  // The user is typing here, or a script has filled it.
  if (!old.hasAttribute("data-keep")) alignChildren(old, fresh);
}

function restore(element, [start, end]) {
  element.focus({ preventScroll: true });
  if (Number.isInteger(start)) element.setSelectionRange(start, end);
}

/** Keeps open elements open and keeps changed input. */
const CLIENT_STATE = new Set(["open", "data-dirty"]);

function alignAttributes(old, fresh) {
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !isClientState(name, old, fresh)) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !CLIENT_STATE.has(name)) old.removeAttribute(name);
  }
}

/** A hovered time shows the local time (`times.js`). */
function isClientState(name, old, fresh) {
  return CLIENT_STATE.has(name) || (name === "title" && old.matches("time:hover") && old.dateTime === fresh.dateTime);
}

function alignChildren(old, fresh) {
  const wanted = new Set([...fresh.children].map(child => child.id));
  for (const child of [...old.children]) {
    if (child.id && !wanted.has(child.id)) child.remove();
  }
  const known = new Map([...old.children].filter(child => child.id).map(child => [child.id, child]));
  let spot = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    // A removed element leaves its trailing white space.
    while (isBlank(spot) && !isBlank(next)) spot = drop(spot);
    const match = next.id ? known.get(next.id) : isAlike(spot, next) ? spot : null;
    if (!match) {
      old.insertBefore(imported(next), spot);
      continue;
    }
    known.delete(next.id);
    spot = place(old, match, spot);
    align(match, next);
  }
  while (spot) spot = drop(spot);
}

/** Puts `match` at `spot` and returns the next position. The element in use is not moved; others move around it. */
function place(parent, match, spot) {
  if (match !== spot && !isInUse(match)) {
    parent.insertBefore(match, spot);
    return spot;
  }
  while (spot !== match) {
    const next = spot.nextSibling;
    parent.append(spot);
    spot = next;
  }
  return match.nextSibling;
}

function isInUse(node) {
  const selection = getSelection();
  return node.contains(document.activeElement) || (!selection.isCollapsed && node.contains(selection.anchorNode));
}

function drop(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

function isBlank(node) {
  return node?.nodeType === Node.TEXT_NODE && !node.nodeValue.trim();
}

function isAlike(one, other) {
  return one && !one.id && one.nodeType === other.nodeType && one.nodeName === other.nodeName;
}

const insertedAt = new WeakMap();
const REACTION_TIME = 1000;

function imported(node) {
  const copy = document.importNode(node, true);
  insertedAt.set(copy, performance.now());
  return copy;
}

/** Whether it changed so recently that a click may have been meant for its predecessor. */
export function changedJustNow(element) {
  for (let one = element; one; one = one.parentElement) {
    if (performance.now() - (insertedAt.get(one) ?? -REACTION_TIME) < REACTION_TIME) return true;
  }
  return false;
}
