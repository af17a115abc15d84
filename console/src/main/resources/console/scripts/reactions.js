/** Emoji picker for reactions, next to the message. */
const signs = document.getElementById("signs");

document.addEventListener("click", click => {
  const opener = click.target.closest("[data-react]");
  if (opener && signs) {
    for (const button of signs.querySelectorAll("[data-emoji]")) button.value = `${opener.dataset.react} ${button.dataset.emoji}`;
    const place = opener.getBoundingClientRect();
    if (!signs.matches(":popover-open")) signs.showPopover();
    signs.style.top = `${Math.max(8, place.top - signs.offsetHeight - 4)}px`;
    signs.style.left = `${Math.max(8, Math.min(place.right - signs.offsetWidth, innerWidth - signs.offsetWidth - 8))}px`;
    signs.querySelector("button").focus();
  } else if (click.target.closest("#signs [data-emoji]")) {
    setTimeout(() => signs.hidePopover());
  }
});
