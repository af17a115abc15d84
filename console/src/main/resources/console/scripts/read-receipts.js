/** Marks a reply as read when it was visible in the conversation. */
const seen = new IntersectionObserver(all => all.filter(one => one.isIntersecting).forEach(one => read(one.target)), { threshold: 0.02 });

function read(message) {
  seen.unobserve(message);
  // If the request fails, the next refresh repeats it.
  fetch("/api/inbox/read", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ message: message.dataset.news }),
  }).catch(() => {});
}

/** Messages in a hidden tab are not read. */
function look() {
  seen.disconnect();
  if (document.hidden) return;
  for (const message of document.querySelectorAll("#talk [data-news]")) seen.observe(message);
}

if (document.getElementById("talk")) {
  document.addEventListener("substrat:refreshed", look);
  document.addEventListener("visibilitychange", look);
  look();
}
