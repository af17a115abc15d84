/** Placeholder of the handle field: the handle that the daemon would derive from the name. */
const LONGEST = 60;

function slug(name) {
  const plain = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return words.slice(0, LONGEST).replace(/-+$/, "");
}

function suggest() {
  const name = document.querySelector("form#builder #name");
  const handle = document.querySelector("form#builder #handle");
  if (!name || !handle) return;
  const suggested = slug(name.value);
  const isTaken = !suggested || suggested === "operator";
  handle.placeholder = name.value.trim() ? (isTaken ? "agent" : suggested) : "";
}

document.addEventListener("input", input => input.target.id === "name" && suggest());
suggest();
