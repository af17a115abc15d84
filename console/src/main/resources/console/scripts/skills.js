/** Skills show at once what was chosen for them: on or off, and the colour of their category. */
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

document.addEventListener("input", input => {
  if (!input.target.closest("#builder")) return;
  if (input.target.matches("[data-skill-switch]")) {
    input.target.closest("[data-item]").classList.toggle("off", !input.target.checked);
  }
  if (input.target.matches("[data-category-colour]")) tint(input.target, input.target.value);
  if (!input.target.closest("#categories, [data-skill-category]")) return;
  nameCategories();
  for (const category of document.querySelectorAll("[data-skill-category]")) tint(category, colourOf(category.value));
});
