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

// Handing in: the name of the chosen or dropped file, and a button that can be pressed once.
document.documentElement.classList.add("scripted");
for (const drop of document.querySelectorAll(".drop")) {
  const field = drop.querySelector("input"), text = drop.querySelector("span");
  const show = () => {
    drop.classList.toggle("chosen", field.files.length > 0);
    if (field.files.length) text.textContent = field.files[0].name;
  };
  field.addEventListener("change", show);
  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files.length) field.files = event.dataTransfer.files;
    show();
  });
}
document.addEventListener("submit", (event) => {
  const button = event.target.querySelector("[data-waiting]");
  if (!button) return;
  if (button.getAttribute("aria-busy")) return event.preventDefault();
  button.setAttribute("aria-busy", "true");
  button.textContent = button.dataset.waiting;
});
window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
