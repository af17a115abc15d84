/** Keeps a conversation scrolled to its end, unless the reader scrolled up. */
const NEAR = 80;

function atEnd(place) {
  return place.scrollHeight - place.scrollTop - place.clientHeight < NEAR;
}

const talk = document.getElementById("talk");
if (talk) {
  talk.scrollTop = talk.scrollHeight;
  let follows = true;
  talk.addEventListener("scroll", () => (follows = atEnd(talk)));
  new MutationObserver(() => {
    if (follows) talk.scrollTop = talk.scrollHeight;
  }).observe(talk, { childList: true, subtree: true, characterData: true });
}
