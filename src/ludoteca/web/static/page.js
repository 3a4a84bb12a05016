// The few lines that must run in the browser: clicks and keys on a board, and the focus that survives a redraw.
const ludoteca = { focus: null };

// Emits the action under a click, if there is one.
ludoteca.click = (event, emit) => {
  const spot = event.target.closest("[data-action]");
  if (spot) emit(Number(spot.dataset.action));
};

// Emits what the clicked thing is for: a legal action, a place in the list of actions, or a button's deed.
ludoteca.told = (event, emit) => {
  const thing = event.target.closest("[data-action], [data-ply], [data-do]");
  if (!thing || thing.closest(".analysis")) return;
  const { action, ply } = thing.dataset;
  if (action !== undefined) emit("play", Number(action));
  else if (ply !== undefined) emit("ply", Number(ply));
  else emit("do", thing.dataset.do);
};

// The same within the card of agents' opinions.
ludoteca.opinion = (event, emit) => {
  const thing = event.target.closest("[data-opinion], [data-do]");
  if (thing) emit(thing.dataset.do ?? Number(thing.dataset.opinion));
};

// Emits the key of the match that is to be cleared away.
ludoteca.cleared = (event, emit) => {
  const button = event.target.closest("[data-clear]");
  if (button) emit(button.dataset.clear);
};

// Emits what was typed, and marks it: what is typed next takes its place.
ludoteca.typed = (event, emit) => {
  const field = event.target.querySelector("input");
  emit(field.value);
  field.select();
};

// Emits the number of the action in the list of actions that was clicked.
ludoteca.ply = (event, emit) => {
  const item = event.target.closest("[data-ply]");
  if (item) emit(Number(item.dataset.ply));
};

// Enter and space play; arrows go to the nearest spot in that direction. What comes before the action is emitted too.
ludoteca.key = (event, emit, ...before) => {
  const spot = event.target.closest("[data-action]");
  if (!spot) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    emit(...before, Number(spot.dataset.action));
  }
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const way = ways[event.key];
  if (!way) return;
  event.preventDefault();
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(spot);
  let nearest = null, least = Infinity;
  for (const other of spot.closest("svg, .pieces").querySelectorAll("[data-action]")) {
    const [dx, dy] = [middle(other)[0] - x, middle(other)[1] - y];
    const along = dx * way[0] + dy * way[1], aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (along > 1 && along + 2 * aside < least) [nearest, least] = [other, along + 2 * aside];
  }
  if (nearest) nearest.focus();
};

document.addEventListener("focusin", (event) => {
  const thing = event.target.closest(":is(.board, .pieces) [data-action], [data-do]");
  const name = thing && ("do" in thing.dataset ? "[data-do" : ":is(.board, .pieces) [data-action");
  ludoteca.focus = thing ? `${name}="${thing.dataset.do ?? thing.dataset.action}"]` : null;
});

// What is redrawn is new: the spot or button that is the same as before gets the focus back.
new MutationObserver(() => {
  if (ludoteca.focus === null || document.activeElement !== document.body) return;
  document.querySelector(ludoteca.focus)?.focus({ preventScroll: true });
}).observe(document.documentElement, { childList: true, subtree: true });

// Single keys for the buttons that carry them, unless somebody is typing.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not([disabled])`);
  if (button) button.click();
});

// In the form of a match each seat shows the options of the agent that is chosen, and sends no others.
ludoteca.seated = (seat) => {
  const chosen = seat.querySelector("select").value;
  for (const box of seat.querySelectorAll("[data-agent]")) box.hidden = box.disabled = box.dataset.agent !== chosen;
};
document.addEventListener("change", (event) => {
  const seat = event.target.closest(".setup .seat");
  if (seat && event.target.matches("[name^=seat]")) ludoteca.seated(seat);
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-swap]")) return;
  const [one, other] = document.querySelectorAll(".setup .seat");
  const fields = (seat) => [...seat.querySelectorAll("select, input")];
  const mirrored = fields(other);
  fields(one).forEach((field, place) => {
    const twin = mirrored[place];
    [field.value, twin.value] = [twin.value, field.value];
    [field.checked, twin.checked] = [twin.checked, field.checked];
  });
  ludoteca.seated(one);
  ludoteca.seated(other);
});

// A link that copies its address instead of being followed, and says so for a moment. Without a clipboard, which only
// safe connections have, it is copied the old way.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-copy]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  try {
    await navigator.clipboard.writeText(link.href);
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: link.href });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  const said = link.textContent;
  if (said === link.dataset.copied) return;
  link.textContent = link.dataset.copied;
  setTimeout(() => (link.textContent = said), 2000);
});

// Opens the chooser of the one place for a file that a page has.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-pick]")) document.querySelector(".uploader input[type=file]").click();
});
