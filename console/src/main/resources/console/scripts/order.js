/** Editable lists: add, remove and reorder rows with buttons or by dragging. */
let made = 0;
let dragged;

const changed = item => item.dispatchEvent(new Event("input", { bubbles: true }));

/** Creates a row from its `<template>` with a unique key. */
export function add(list) {
  const key = `new${++made}`;
  const row = document.getElementById(`new-${list.id}`).content.firstElementChild.cloneNode(true);
  for (const part of [row, ...row.querySelectorAll("*")]) {
    for (const attribute of [...part.attributes]) {
      if (attribute.value.includes("KEY")) attribute.value = attribute.value.replace("KEY", key);
    }
  }
  list.append(row);
  return row;
}

function addByHand(list) {
  const row = add(list);
  row.querySelector("input:not([type=hidden], [type=checkbox])").focus();
  changed(row);
}

function move(item, way) {
  if (way === "up") item.previousElementSibling?.before(item);
  else item.nextElementSibling?.after(item);
}

document.addEventListener("click", click => {
  const adder = click.target.closest("[data-add]");
  if (adder) addByHand(document.getElementById(adder.dataset.add));
  const button = click.target.closest("[data-move], [data-drop]");
  if (!button) return;
  const item = button.closest("[data-item]");
  const list = item.parentElement;
  if (button.dataset.move) {
    move(item, button.dataset.move);
    button.focus();
  } else {
    const next = (item.nextElementSibling ?? item.previousElementSibling)?.querySelector("button");
    (next ?? document.querySelector(`[data-add="${list.id}"]`)).focus();
    item.remove();
  }
  changed(list);
});

/** Pointer events instead of native drag and drop: same behaviour for mouse, pen and touch. */
document.addEventListener("pointerdown", press => {
  const grip = press.target.closest("[data-grip]");
  if (!grip) return;
  dragged = grip.closest("[data-item]");
  dragged.classList.add("dragged");
  grip.setPointerCapture(press.pointerId);
});
document.addEventListener("pointermove", motion => {
  if (!dragged) return;
  const { previousElementSibling: above, nextElementSibling: below } = dragged;
  const middle = one => one.getBoundingClientRect().top + one.offsetHeight / 2;
  if (above && motion.clientY < middle(above)) above.before(dragged);
  else if (below && motion.clientY > middle(below)) below.after(dragged);
});
document.addEventListener("pointerup", () => {
  if (!dragged) return;
  dragged.classList.remove("dragged");
  changed(dragged);
  dragged = undefined;
});
