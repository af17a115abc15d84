/** Skill rows of the builder: state and category colour follow the input. */
import { add } from "./order.js";

const colourOf = name => [...document.querySelectorAll("#categories [data-item]")]
  .find(row => row.querySelector("[data-category-name]").value === name)
  ?.querySelector("[data-category-colour]").value ?? "stone";

function tint(element, colour) {
  const kept = [...element.classList].filter(name => ["input", "category", "hue"].includes(name));
  element.className = [...kept, colour].join(" ");
}

function nameCategories() {
  const names = [...document.querySelectorAll("[data-category-name]")].map(input => input.value).filter(Boolean);
  document.getElementById("category-names").replaceChildren(...names.map(name => new Option(name, name)));
}

/** Sorts the skills by category, in the order of the categories; the sort is stable. */
function group(list) {
  const order = [...document.querySelectorAll("[data-category-name]")].map(input => input.value);
  const category = row => row.querySelector("[data-skill-category]").value;
  const place = row => (!category(row) ? 2000 : order.includes(category(row)) ? order.indexOf(category(row)) : 1000);
  const rows = [...list.children];
  const named = [...new Set(rows.map(category))];
  const sorted = rows.toSorted((one, other) => place(one) - place(other) || named.indexOf(category(one)) - named.indexOf(category(other)));
  list.append(...sorted);
  list.dispatchEvent(new Event("input", { bubbles: true }));
}

const automatic = row => row.querySelector("[data-category-made]");

/**
 * Creates a category for each new category name of a skill, with an unused colour if there is one, and removes it when
 * no skill names it. The daemon does the same for fields that were never left (`DraftFormReader`).
 */
function syncCategories(category) {
  const named = [...document.querySelectorAll("[data-skill-category]")].map(input => input.value.trim());
  for (const row of document.querySelectorAll("#categories [data-item]")) {
    if (automatic(row).value === "true" && !named.includes(row.querySelector("[data-category-name]").value.trim())) row.remove();
  }
  nameCategories();
  const rows = [...document.querySelectorAll("#categories [data-item]")];
  if (!category || rows.some(row => row.querySelector("[data-category-name]").value === category)) return;
  const used = rows.map(row => row.querySelector("[data-category-colour]").value);
  const row = add(document.getElementById("categories"));
  row.querySelector("[data-category-name]").value = category;
  automatic(row).value = "true";
  const colours = row.querySelector("[data-category-colour]");
  colours.value = [...colours.options].map(one => one.value).find(one => one !== "stone" && !used.includes(one)) ?? "stone";
  row.closest("details").open = true;
  colours.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Adds the skill name to the labels of its buttons, for screen readers. */
function name(row, words) {
  for (const one of row.querySelectorAll("[data-act]")) {
    one.setAttribute("aria-label", words ? `${one.dataset.act}: ${words}` : one.dataset.act);
  }
}

document.addEventListener("click", click => {
  const button = click.target.closest("[data-group]");
  if (button) group(document.getElementById(button.dataset.group));
});
document.addEventListener("change", change => {
  if (change.target.matches("[data-skill-category]")) syncCategories(change.target.value.trim());
});
document.addEventListener("input", input => {
  if (!input.target.closest("#builder")) return;
  if (input.target.matches("[data-skill-name]")) name(input.target.closest("[data-item]"), input.target.value);
  if (input.target.matches("[data-skill-switch]")) {
    input.target.closest("[data-item]").classList.toggle("off", !input.target.checked);
  }
  if (input.target.matches("[data-category-colour]")) tint(input.target, input.target.value);
  // An edited category is kept.
  if (input.isTrusted && input.target.matches("[data-category-name], [data-category-colour]")) {
    automatic(input.target.closest("[data-item]")).value = "false";
  }
  if (!input.target.closest("#categories, [data-skill-category]")) return;
  nameCategories();
  for (const category of document.querySelectorAll("[data-skill-category]")) tint(category, colourOf(category.value));
});
