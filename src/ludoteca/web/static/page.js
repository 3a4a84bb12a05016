// The few lines that must run in the browser: clicks and keys on a board, and the focus that survives a redraw.
const ludoteca = { focus: null };

// Emits the action under a click, if there is one.
ludoteca.click = (event, emit) => {
  const spot = event.target.closest("[data-action]");
  if (spot) emit(Number(spot.dataset.action));
};

// Emits the number of the action in the list of actions that was clicked.
ludoteca.ply = (event, emit) => {
  const item = event.target.closest("[data-ply]");
  if (item) emit(Number(item.dataset.ply));
};

// Enter and space play; arrows go to the nearest spot in that direction.
ludoteca.key = (event, emit) => {
  const spot = event.target.closest("[data-action]");
  if (!spot) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    emit(Number(spot.dataset.action));
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
  const spot = event.target.closest("[data-action]");
  ludoteca.focus = spot ? spot.dataset.action : null;
});

// A redrawn board has new spots: the one with the same action gets the focus back.
new MutationObserver(() => {
  if (ludoteca.focus === null || document.activeElement !== document.body) return;
  document.querySelector(`:is(.board, .pieces) [data-action="${ludoteca.focus}"]`)?.focus({ preventScroll: true });
}).observe(document.documentElement, { childList: true, subtree: true });

// Single keys for the buttons that carry them, unless somebody is typing.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not([disabled])`);
  if (button) button.click();
});
