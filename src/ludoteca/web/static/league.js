// What the pages of a league do in the browser: parts that keep themselves up to date.
"use strict";

// Marks the rows of the viewer.
const mark = (part) => {
  const own = part.dataset.own;
  for (const row of part.querySelectorAll("[data-who]")) row.classList.toggle("own", !!own && row.dataset.who === own);
};

// Fetches a part of the page again and again: not while the tab is hidden, and less often while the server is away.
const follow = (part) => {
  let tag = "", failures = 0;
  const look = async () => {
    if (!document.hidden) {
      try {
        const answer = await fetch(part.dataset.live, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
        if (answer.redirected) location.reload();  // signed out
        if (answer.status === 200) {
          tag = answer.headers.get("ETag") ?? "";
          if (!part.contains(document.activeElement)) part.innerHTML = await answer.text();
          mark(part);
          if (part.querySelector("[data-over]")) return location.reload();  // the whole page has changed
        }
        failures = 0;
      } catch {
        failures = Math.min(failures + 1, 4);
      }
    }
    setTimeout(look, 1000 * part.dataset.every * 2 ** failures);
  };
  mark(part);
  setTimeout(look, 1000 * part.dataset.every);
};
document.querySelectorAll("[data-live]").forEach(follow);
