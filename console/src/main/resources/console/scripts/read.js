/** An answer that was seen in a talk is read: the inbox does not count it any more. */
const seen = new IntersectionObserver(all => all.filter(one => one.isIntersecting).forEach(one => read(one.target)), { threshold: 0.02 });

function read(letter) {
  seen.unobserve(letter);
  // If the daemon does not hear of it, the page that is drawn next says so again.
  fetch("/api/inbox/read", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ message: letter.dataset.news }),
  }).catch(() => {});
}

/** What nobody looks at was not seen. */
function look() {
  seen.disconnect();
  if (document.hidden) return;
  for (const letter of document.querySelectorAll("#talk [data-news]")) seen.observe(letter);
}

if (document.getElementById("talk")) {
  document.addEventListener("substrat:refreshed", look);
  document.addEventListener("visibilitychange", look);
  look();
}
