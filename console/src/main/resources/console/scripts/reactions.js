/** Emoji picker for reactions, next to the message. */
const picker = document.getElementById("emoji-picker");

document.addEventListener("click", click => {
  const opener = click.target.closest("[data-react]");
  if (opener && picker) {
    for (const button of picker.querySelectorAll("[data-emoji]")) button.value = `${opener.dataset.react} ${button.dataset.emoji}`;
    const place = opener.getBoundingClientRect();
    if (!picker.matches(":popover-open")) picker.showPopover();
    picker.style.top = `${Math.max(8, place.top - picker.offsetHeight - 4)}px`;
    picker.style.left = `${Math.max(8, Math.min(place.right - picker.offsetWidth, innerWidth - picker.offsetWidth - 8))}px`;
    picker.querySelector("button").focus();
  } else if (click.target.closest("#emoji-picker [data-emoji]")) {
    setTimeout(() => picker.hidePopover());
  }
});
