/** Marks a reply as read when it was visible in the conversation. */
const observer = new IntersectionObserver(all => all.filter(one => one.isIntersecting).forEach(one => markRead(one.target)), { threshold: 0.02 });

function markRead(message) {
  observer.unobserve(message);
  // If the request fails, the next refresh repeats it.
  fetch("/api/inbox/read", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ message: message.dataset.unread }),
  }).catch(() => {});
}

/** Messages in a hidden tab are not read. */
function observeUnread() {
  observer.disconnect();
  if (document.hidden) return;
  for (const message of document.querySelectorAll("#talk [data-unread]")) observer.observe(message);
}

if (document.getElementById("talk")) {
  document.addEventListener("substrat:refreshed", observeUnread);
  document.addEventListener("visibilitychange", observeUnread);
  observeUnread();
}
