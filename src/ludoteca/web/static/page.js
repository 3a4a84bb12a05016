// The few lines that must run in the browser: clicks and keys on a board, and the focus that survives a redraw.
const ludoteca = { focus: null, spot: null };

// Emits the action under a click, if there is one.
ludoteca.click = (event, emit) => {
  const spot = event.target.closest("[data-action]");
  if (spot) emit(Number(spot.dataset.action));
};

// Emits what was clicked: a legal action, a place in the list of moves, or a button's command.
ludoteca.command = (event, emit) => {
  const thing = event.target.closest("[data-action], [data-ply], [data-do]");
  if (!thing || thing.closest(".analysis")) return;
  const { action, ply } = thing.dataset;
  if (action !== undefined) {
    if (thing.closest("svg.waiting")) ludoteca.plan.choose(thing, event);
    else if (ludoteca.sure(thing, event)) {
      ludoteca.vibrate(event);
      emit("play", Number(action));
    }
    return;
  }
  if (thing.dataset.do !== "play_now" && thing.dataset.do !== "heat") ludoteca.plan.clear();
  if (ply !== undefined) emit("ply", Number(ply));
  else emit("do", thing.dataset.do);
};

// The same on the adviser's page, where tiles and cards can be clicked too.
ludoteca.advise = (event, emit) => {
  const item = event.target.closest(".items [data-action]");
  if (item) emit("item", Number(item.dataset.action));
  else ludoteca.command(event, emit);
};

// A list was entered: closes and empties its form.
ludoteca.listed = () => {
  const card = document.querySelector(".advise .list");
  card.open = false;
  card.querySelector("form").reset();
};

// The same within the card of agents' opinions.
ludoteca.opinion = (event, emit) => {
  const thing = event.target.closest("[data-opinion], [data-do]");
  if (thing) emit(thing.dataset.do ?? Number(thing.dataset.opinion));
};

// Emits the key of the match to delete.
ludoteca.deleted = (event, emit) => {
  const button = event.target.closest("[data-delete]");
  if (button) emit(button.dataset.delete);
};

// Emits the typed text and selects it, so that the next text replaces it.
ludoteca.typed = (event, emit) => {
  const field = event.target.querySelector("input");
  emit(field.value);
  field.select();
};

// The field for a typed action opens when somebody starts to type or presses its button, which only the keyboard and
// screen readers find. It closes at Escape, and when the focus leaves it.
ludoteca.type = (open) => {
  const form = document.querySelector(".typed"), field = form.querySelector("input");
  form.toggleAttribute("data-open", open);
  if (open) field.focus();
  else field.value = "";
};
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-type]")) ludoteca.type(true);
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !event.target.closest(".typed[data-open]")) return;
  ludoteca.type(false);
  document.querySelector('.board .spot[tabindex="0"], .words button')?.focus();
});
document.addEventListener("focusout", (event) => {
  const form = event.target.closest(".typed[data-open]");
  if (form && event.relatedTarget && !form.contains(event.relatedTarget)) ludoteca.type(false);
});

// Emits the number of the action in the list of actions that was clicked.
ludoteca.ply = (event, emit) => {
  const item = event.target.closest("[data-ply]");
  if (item) emit(Number(item.dataset.ply));
};

// Enter and space play; arrows go to the nearest spot in that direction, page down and up to the next that can be played.
// The arguments in `before` are emitted before the action.
ludoteca.key = (event, emit, ...before) => {
  const spot = event.target.closest("[data-action]");
  if (!spot) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    if (spot.closest("svg.waiting")) ludoteca.plan.choose(spot, event);
    else emit(...before, Number(spot.dataset.action));
  }
  const leap = { PageDown: 1, PageUp: -1 }[event.key];
  if (leap) {
    event.preventDefault();
    const all = [...spot.closest("svg, .pieces, .brushes").querySelectorAll("[data-action]")];
    const ahead = [...all.slice(all.indexOf(spot) + 1), ...all.slice(0, all.indexOf(spot))];
    if (leap < 0) ahead.reverse();
    ahead.find((other) => other.matches(".legal, .fits"))?.focus();
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
  for (const other of spot.closest("svg, .pieces, .brushes").querySelectorAll("[data-action]")) {
    const [dx, dy] = [middle(other)[0] - x, middle(other)[1] - y];
    const along = dx * way[0] + dy * way[1], aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    const cost = along + 1.5 * aside, ahead = way[0] + way[1] > 0;
    // Of two hexagons that are as near, the one in the same row or column.
    if (along > 1 && cost < (ahead ? least + 1 : least - 1)) [nearest, least] = [other, cost];
  }
  if (nearest) nearest.focus();
};

// Whether a tap plays: the first tap on a very small cell only marks it, the second plays. A visitor may want that
// everywhere: see the settings.
ludoteca.sure = (spot, event) => {
  const board = spot.closest(".board svg");
  if (!board || event.pointerType !== "touch" || !spot.classList.contains("legal")) return true;
  const { width, height } = spot.getBoundingClientRect();
  const large = Math.min(width, height) >= 44 && ludoteca.setting("confirm") !== "on";
  if (large || spot.classList.contains("chosen")) return true;
  board.querySelectorAll(".chosen").forEach((other) => other.classList.remove("chosen"));
  spot.classList.add("chosen");
  ludoteca.preview(spot, board);
  ludoteca.say(`${spot.getAttribute("aria-label")}. ${board.dataset.again}`, board.parentElement);
  return false;
};

// On a board of Hex, the stone that a second tap will place.
ludoteca.preview = (spot, board) => {
  if (!board.closest(".board.hex")) return;
  const stone = board.querySelector(".preview") ?? document.createElementNS("http://www.w3.org/2000/svg", "circle");
  const { x, y, width, height } = spot.getBBox();
  const look = { cx: x + width / 2, cy: y + height / 2, r: 0.34 * Math.max(width, height), class: `preview of${board.dataset.turn}` };
  for (const [name, value] of Object.entries(look)) stone.setAttribute(name, value);
  spot.before(stone);
};

// A line over the one above the board that is read out too, until the next redraw or tap.
ludoteca.say = (text, board) => {
  let line = board.querySelector(".tapped");
  if (!line) {
    line = document.createElement("p");
    line.className = "tapped";
    line.setAttribute("role", "status");
    board.append(line);
  }
  line.textContent = text;
};

// What had the focus, as selectors: the same thing drawn anew, and where to go when it is gone.
document.addEventListener("focusin", (event) => {
  const thing = event.target.closest(":is(.board, .pieces, .words, .brushes) [data-action], [data-do], .moves [data-ply]");
  if (!thing) {
    ludoteca.focus = null;
    return;
  }
  const place = thing.closest(".board, .pieces, .words, .brushes, .moves");
  const within = place ? `.${place.classList[0]} ` : "";
  const name = ["action", "do", "ply"].find((each) => each in thing.dataset);
  ludoteca.focus = [`${within}[data-${name}="${CSS.escape(thing.dataset[name])}"]`, `${within}:is(.piece, [tabindex="0"])`];
  if (thing.matches("svg .spot")) {
    ludoteca.spot = thing.dataset.action;
    ludoteca.stop(thing);
  }
});

// The tab key reaches one spot of a board: the last one used.
ludoteca.stop = (spot) => {
  spot.closest("svg").querySelectorAll('.spot[tabindex="0"]').forEach((other) => other.setAttribute("tabindex", "-1"));
  spot.setAttribute("tabindex", "0");
};
document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest("a, button, input, select, textarea, [tabindex]")) ludoteca.focus = null;
});

// What is redrawn is new: the spot or button that is the same as before gets the focus back, or else one beside it.
new MutationObserver(() => {
  const left = ludoteca.spot === null ? null : document.querySelector(`.board .spot[data-action="${ludoteca.spot}"]`);
  if (left && left.getAttribute("tabindex") !== "0") ludoteca.stop(left);
  // What scrolls must be reached by keys too.
  for (const wide of document.querySelectorAll(".scroll:not([tabindex])")) wide.setAttribute("tabindex", "0");
  if (ludoteca.focus === null || document.activeElement !== document.body) return;
  const ways = [...ludoteca.focus, '.board .spot[tabindex="0"]', ".words button", "#content a, #content button"];
  const wanted = ludoteca.focus;
  for (const way of ways) {
    const found = document.querySelector(way);
    found?.focus({ preventScroll: true });
    if (found && document.activeElement === found) break;
  }
  ludoteca.focus = wanted; // a stand-in may be redrawn in its turn
}).observe(document.documentElement, { childList: true, subtree: true });

// Single keys press their buttons, unless the focus is in a field. With any other letter or digit, and with one with which
// an action's name begins, one starts to type an action; the key itself then goes into the field.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const button = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not([disabled])`);
  const starts = /^[\p{L}\p{N}]$/u.test(event.key) && document.querySelector(".typed:not(.hidden) [data-type]")?.dataset.type;
  if (starts && (!button || starts.includes(event.key.toLowerCase()))) ludoteca.type(true);
  else if (button) button.click();
});

// The form of a match shows the options of the agents that are chosen, and sends no others.
document.addEventListener("change", (event) => {
  const role = event.target.closest(".setup") && event.target.matches("[name=opponent], [name=me]") && event.target.name;
  if (!role) return;
  const chosen = event.target.value.split(":")[0];
  for (const box of document.querySelectorAll(`[data-boxes="${role}"] [data-agent]`))
    box.hidden = box.disabled = box.dataset.agent !== chosen;
});

// Until a person chooses a side, it follows the opponent: a network that knows one seat gets it.
document.addEventListener("change", (event) => {
  const side = event.target.closest(".setup")?.querySelector("[data-preferred]");
  if (event.target === side) side.dataset.chosen = "";
  if (!side || "chosen" in side.dataset) return;
  const value = (name) => side.form.elements[name]?.value ?? "";
  const agent = (value("opponent.own").trim() || value("opponent")).split(":")[0];
  const known = JSON.parse(side.dataset.preferred)[agent] ?? [];
  const fits = ([options]) => Object.entries(options).every(([name, text]) => value(`game.${name}`) === text);
  side.value = known.find(fits)?.[1] === 0 ? "1" : "0";
});

// The form of two agents offers the agents of the game that is chosen.
document.addEventListener("change", (event) => {
  if (!event.target.matches("[data-games]")) return;
  for (const box of event.target.form.querySelectorAll("[data-game]"))
    box.hidden = box.disabled = box.dataset.game !== event.target.value;
});

// The match: its list of actions follows it, and what was opened stays open when it is redrawn.
ludoteca.opened = new Set();
document.addEventListener("toggle", (event) => {
  const name = event.target.dataset?.keep;
  if (name) ludoteca.opened[event.target.open ? "add" : "delete"](name);
}, true);
ludoteca.follow = () => {
  for (const list of document.querySelectorAll(".moves")) {
    const here = list.querySelector(".here");
    if (!here || list.followed === here) continue;
    list.followed = here;
    const top = here.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
    if (top < list.scrollTop || top + here.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }
  for (const box of document.querySelectorAll("details[data-keep]:not([open])")) {
    if (ludoteca.opened.has(box.dataset.keep) && !box.seen) box.open = true;
    box.seen = true;
  }
};
new MutationObserver(ludoteca.follow).observe(document.documentElement, { childList: true, subtree: true });

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
  const label = link.querySelector("span") ?? link, said = label.textContent;
  if (said === link.dataset.copied) return;
  label.textContent = link.dataset.copied;
  setTimeout(() => (label.textContent = said), 2000);
});

// Shows each error at its field of the form; the first one gets the focus.
ludoteca.showErrors = (errors) => {
  const form = document.querySelector(".setup"), general = form.querySelector("[data-fault]");
  form.querySelectorAll("small.fault").forEach((each) => each.remove());
  form.querySelectorAll("[aria-invalid]").forEach((each) => each.removeAttribute("aria-invalid"));
  general.hidden = true;
  let first = null;
  for (const [name, why] of Object.entries(errors)) {
    const field = name && form.querySelector(`[name="${CSS.escape(name)}"]:not(:disabled)`);
    if (!field) {
      general.textContent = why;
      general.hidden = false;
      continue;
    }
    const message = document.createElement("small");
    message.className = "fault";
    message.id = `fault-${name}`;
    message.setAttribute("role", "alert");
    message.textContent = why;
    field.after(message);
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", message.id);
    const closed = field.closest("details");
    if (closed) closed.open = true;
    first ??= field;
  }
  first?.focus();
};

// Copies the address beside a button, and says so on it. Without a secure page there is no clipboard: then it is selected.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-copy]");
  if (!button) return;
  const field = button.parentElement.querySelector("input");
  field.select();
  if (navigator.clipboard) navigator.clipboard.writeText(field.value);
  else document.execCommand("copy");
  button.textContent = button.dataset.copied;
});

// Opens the file chooser of the page.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-pick]")) document.querySelector(".uploader input[type=file]").click();
});

// What is being set up stands in the address: a reload keeps it, Back takes the last step back, and the links that lead
// back here, such as to another language, lead back to it.
ludoteca.at = (address) => {
  if (location.pathname + location.search !== address) history.pushState(null, "", address);
  for (const link of document.querySelectorAll('.top a[href*="back="]')) {
    link.setAttribute("href", link.getAttribute("href").replace(/back=.*$/, `back=${encodeURIComponent(address)}`));
  }
};
window.addEventListener("popstate", () => {
  if (/^\/(edit|advise)\//.test(location.pathname)) location.reload();
});

// The guided first match: how far this visitor has come, and what they found at the first try. Only this browser knows.
ludoteca.guide = {};
ludoteca.guide.kept = (name) => JSON.parse(ludoteca.setting(`guide.${name}`) ?? "null") ?? { step: 1, count: 0, found: [] };
ludoteca.guide.keep = (name, kept) => {
  ludoteca.set(`guide.${name}`, JSON.stringify(kept));
  ludoteca.guide.show();
};
ludoteca.guide.step = (name, step, count) => {
  const kept = ludoteca.guide.kept(name);
  ludoteca.guide.keep(name, { step, count, found: step === 1 ? [] : kept.found });
  history.replaceState(null, "", `?step=${step}`);
};
ludoteca.guide.found = (name, step, first) => {
  const kept = ludoteca.guide.kept(name), others = kept.found.filter((each) => each !== step);
  ludoteca.guide.keep(name, { ...kept, found: first ? [...others, step] : others });
};
ludoteca.guide.show = () => {
  const text = (template, ...values) => values.reduce((so_far, value, at) => so_far.replace(`%${at + 1}`, value), template);
  for (const link of document.querySelectorAll("a[data-guide]")) {
    const { step, count } = ludoteca.guide.kept(link.dataset.guide), said = link.firstChild;
    if (step < 2) continue;
    said.textContent = step > count ? link.dataset.again : text(link.dataset.goOn, step, count);
    link.setAttribute("href", `/guide/${link.dataset.guide}${step > count ? "" : `?step=${step}`}`);
  }
  for (const line of document.querySelectorAll("[data-found]")) {
    const { found, count } = ludoteca.guide.kept(line.dataset.found);
    if (count > 0) line.textContent = text(line.dataset.text, found.length, count);
  }
};
new MutationObserver((changes) => {
  const news = ({ addedNodes }) => [...addedNodes].some((each) => each.querySelector?.("a[data-guide]"));
  if (changes.some(news)) ludoteca.guide.show();
}).observe(document.documentElement, { childList: true, subtree: true });

// A move that a visitor chooses while the other side thinks: it is marked, and played as soon as it is their turn. The same
// click again takes it back, so do Escape and the buttons below the board. Boards that allow it have the class `waiting`.
ludoteca.plan = { action: null };
ludoteca.plan.choose = (spot, event) => {
  if (event.detail > 1) return; // the second half of a double click on the move before
  const { plan } = ludoteca, board = spot.closest(".board"), same = plan.action === spot.dataset.action;
  plan.clear();
  if (same) return;
  plan.action = spot.dataset.action;
  plan.mark(board);
  ludoteca.vibrate(event);
};
ludoteca.plan.mark = (board) => {
  const spot = board.querySelector(`.spot[data-action="${ludoteca.plan.action}"]`);
  spot.classList.add("planned");
  ludoteca.say(`${spot.getAttribute("aria-label").split(",")[0]}: ${board.closest(".match-page").dataset.planned}`, board);
};
ludoteca.plan.clear = () => {
  ludoteca.plan.action = null;
  document.querySelectorAll(".spot.planned").forEach((spot) => spot.classList.remove("planned"));
  document.querySelectorAll(".board > .tapped").forEach((line) => line.remove());
};
// The board has been drawn anew: the move is marked again or played, or it is no longer possible.
ludoteca.plan.drawn = (board, svg) => {
  const { plan, motion } = ludoteca;
  if (plan.action === null || !board.closest(".match-page")) return;
  if (svg.matches(".waiting")) return plan.mark(board);
  const { action } = plan, legal = svg.querySelector(`.spot.legal[data-action="${action}"]`);
  plan.action = null;
  if (!legal) {
    if (svg.querySelector(".spot.legal")) ludoteca.say(board.closest(".match-page").dataset.impossible, board);
    return;
  }
  const play = () => { // once the other side's move has been seen
    const spot = board.querySelector(`.spot.legal[data-action="${action}"]`);
    spot?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
  };
  setTimeout(play, motion.calm.matches ? 0 : 300);
};
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && ludoteca.plan.action !== null) ludoteca.plan.clear();
});

// A board that is drawn anew between the press and the release of a mouse button would lose the click.
ludoteca.pressed = null;
document.addEventListener("pointerdown", (event) => {
  const spot = event.pointerType === "mouse" && event.button === 0 && event.target.closest(".board .spot");
  ludoteca.pressed = spot ? { spot, board: spot.closest(".board"), x: event.clientX, y: event.clientY } : null;
});
document.addEventListener("pointerup", (event) => {
  const press = ludoteca.pressed;
  ludoteca.pressed = null;
  if (!press || press.spot.isConnected || Math.hypot(event.clientX - press.x, event.clientY - press.y) > 10) return;
  const again = press.board.querySelector(`.spot[data-action="${press.spot.dataset.action}"]`);
  again?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
});

// A tile is dragged onto an end of the line: of the spots of that tile the one for the nearer end is clicked.
ludoteca.drag = null;
document.addEventListener("pointerdown", (event) => {
  const spot = event.target.closest(".board.dominoes .spot.legal");
  if (spot && event.isPrimary) ludoteca.drag = { spot, x: event.clientX, y: event.clientY, ghost: null };
});
// Or the browser would scroll instead; the style touch-action does not hold for parts of a picture.
document.addEventListener("touchmove", (event) => {
  if (ludoteca.drag) event.preventDefault();
}, { passive: false });
ludoteca.lift = (drag) => {
  const board = drag.spot.closest("svg"), tile = Math.floor(Number(drag.spot.dataset.action) / 2);
  drag.piece = board.querySelector(`[data-piece="tile${tile}"]`);
  if (!drag.piece) return; // the boneyard
  const { x, y, width, height } = drag.piece.getBBox(), scale = 1.15 * board.getScreenCTM().a;
  drag.size = Math.max(width, height) * 1.15;
  drag.ghost = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drag.ghost.setAttribute("viewBox", `${x - 2} ${y - 2} ${width + 4} ${height + 4}`);
  drag.ghost.setAttribute("width", scale * (width + 4));
  drag.ghost.setAttribute("height", scale * (height + 4));
  drag.ghost.setAttribute("class", "dragged");
  drag.ghost.setAttribute("aria-hidden", "true");
  drag.ghost.append(drag.piece.cloneNode(true));
  document.body.append(drag.ghost);
  drag.piece.classList.add("lifted");
  board.classList.add("dragging");
  ludoteca.vibrate({ pointerType: "touch" });
};
document.addEventListener("pointermove", (event) => {
  const drag = ludoteca.drag;
  if (!drag) return;
  if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 12) ludoteca.lift(drag);
  if (drag.ghost) drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -70%)`;
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (event) => {
  const drag = ludoteca.drag;
  ludoteca.drag = null;
  drag?.ghost?.remove();
  if (!drag?.ghost) return;
  drag.piece.classList.remove("lifted");
  drag.spot.closest("svg")?.classList.remove("dragging");
  if (end === "pointercancel" || !drag.spot.isConnected) return;
  const board = drag.spot.closest("svg"), tile = Math.floor(Number(drag.spot.dataset.action) / 2);
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const away = (side) => {
    const mark = board.querySelector(`[data-end="${side}"]`);
    return mark ? Math.hypot(event.clientX - middle(mark)[0], event.clientY - middle(mark)[1]) : 0;
  };
  if (event.clientY > drag.spot.getBoundingClientRect().top - 20) return;  // dropped where it lay
  const nearest = [0, 1]
    .map((side) => [away(side), board.querySelector(`.spot.legal[data-action="${2 * tile + side}"]`)])
    .filter(([, spot]) => spot)
    .sort(([one], [other]) => one - other)[0];
  if (!nearest) return;
  ludoteca.motion.drop = { key: `tile${tile}`, x: event.clientX, y: event.clientY, size: drag.size };
  nearest[1].dispatchEvent(new MouseEvent("click", { bubbles: true }));
});

// The clocks of people: the server says how many seconds are left, and the browser counts down until it says so again.
ludoteca.clocks = new WeakMap();
setInterval(() => {
  for (const clock of document.querySelectorAll(".clock")) {
    if (!ludoteca.clocks.has(clock)) ludoteca.clocks.set(clock, performance.now());
    const passed = "runs" in clock.dataset ? (performance.now() - ludoteca.clocks.get(clock)) / 1000 : 0;
    const left = Math.max(0, Number(clock.dataset.left) - passed);
    clock.classList.toggle("low", left < 20);
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, Math.floor(left) % 60];
    const two = (number) => String(number).padStart(2, "0");
    const tenths = left < 10 && passed ? `.${Math.floor(left * 10) % 10}` : "";
    const text = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}${tenths}`;
    if (clock.textContent !== text) clock.textContent = text;
  }
}, 100);

// Names that a person has typed are remembered by the browser, and by nobody else.
new MutationObserver(() => {
  for (const field of document.querySelectorAll("[data-remember]:not([data-filled])")) {
    field.dataset.filled = "";
    try { field.value ||= localStorage.getItem(`ludoteca.${field.dataset.remember}`) ?? ""; } catch { /* not allowed */ }
  }
}).observe(document.documentElement, { childList: true, subtree: true });
document.addEventListener("change", (event) => {
  const name = event.target.dataset?.remember;
  try { if (name) localStorage.setItem(`ludoteca.${name}`, event.target.value); } catch { /* not allowed */ }
});

// Fields of the form of a match that only people need, or only agents.
document.addEventListener("change", (event) => {
  if (!event.target.matches(".setup [name=opponent]")) return;
  const person = ["person", "friend"].includes(event.target.value);
  for (const box of event.target.form.querySelectorAll("[data-opponents]")) {
    const wanted = box.dataset.opponents;
    box.hidden = wanted ? !wanted.split(" ").includes(event.target.value) : person;
  }
});

// The results of rated matches are kept by the browser alone. The server makes a rating of them, and chooses opponents.
ludoteca.results = () => {
  try { return JSON.parse(localStorage.getItem("ludoteca.results")) ?? []; } catch { return []; }
};
ludoteca.keep = (results) => {
  try { localStorage.setItem("ludoteca.results", JSON.stringify(results.slice(-500))); } catch { /* not allowed */ }
};
ludoteca.showStrength = async () => {
  const card = document.querySelector("[data-strength]");
  if (!card || card.asked) return;
  card.asked = true;
  const results = ludoteca.results().map(({ game, agent, score }) => ({ game, agent, score }));
  if (!results.length) return;
  const answer = await fetch("/strength", { method: "POST", body: JSON.stringify(results) });
  if (!answer.ok) return;
  const { html, opponents } = await answer.json();
  card.innerHTML = html;
  card.hidden = !html;
  // The form of a new match begins with this opponent; see `suggested_opponent`.
  const suggested = Object.entries(opponents).map(([game, { seats }]) => `${game}|${seats.split("|")[1]}`).join(";");
  document.cookie = `suggested=${encodeURIComponent(suggested)}; path=/new; max-age=31536000; samesite=lax`;
  for (const [game, { seats, text }] of Object.entries(opponents)) {
    const form = document.querySelector(`.game form:has([name=game][value="${CSS.escape(game)}"])`);
    if (!form) continue;
    form.elements.seats.value = seats;
    form.querySelector("small").textContent = text;
  }
};
new MutationObserver(() => {
  const shown = document.querySelector("[data-result]");
  if (shown) {
    const result = JSON.parse(shown.dataset.result), known = ludoteca.results();
    delete shown.dataset.result;
    if (!known.some(({ key }) => key === result.key)) ludoteca.keep([...known, { ...result, day: new Date().toISOString().slice(0, 10) }]);
  }
  ludoteca.showStrength();
}).observe(document.documentElement, { childList: true, subtree: true });
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-forget]")) return;
  ludoteca.keep([]);
  document.cookie = "suggested=; path=/new; max-age=0; samesite=lax";
  event.target.closest("[data-strength]").hidden = true;
});

// Who does not want to see reactions sees and hears none.
ludoteca.hideReactions = () => {
  document.documentElement.classList.toggle("no-reactions", ludoteca.setting?.("reactions") === "off");
};
document.addEventListener("DOMContentLoaded", ludoteca.hideReactions);
document.addEventListener("change", (event) => {
  if (event.target.matches('[data-setting="reactions"]')) setTimeout(ludoteca.hideReactions);
});

// Puzzles: what this browser has solved, and the days in a row on which the puzzle of the day was. Nothing is sent.
ludoteca.puzzles = () => {
  try {
    const kept = JSON.parse(localStorage.getItem("puzzles"));
    if (Array.isArray(kept?.solved) && Array.isArray(kept?.days)) return kept;
  } catch { /* no storage, or something else in it */ }
  return { solved: [], days: [] };
};
ludoteca.solved = (key, day) => {
  const kept = ludoteca.puzzles();
  if (!kept.solved.includes(key)) kept.solved.push(key);
  if (day && !kept.days.includes(day)) kept.days.push(day);
  kept.days = kept.days.sort().slice(-400);
  try {
    localStorage.setItem("puzzles", JSON.stringify(kept));
  } catch { /* a private window: it counts until it is closed */ }
  ludoteca.showSolved(kept);
};
ludoteca.showSolved = (kept = ludoteca.puzzles()) => {
  for (const link of document.querySelectorAll("[data-puzzle]")) {
    if (kept.solved.includes(link.dataset.puzzle)) link.classList.add("solved");
  }
  for (const line of document.querySelectorAll("[data-streak]")) {
    const words = JSON.parse(line.dataset.words), date = new Date(`${line.dataset.streak}T00:00:00Z`);
    const back = () => date.setUTCDate(date.getUTCDate() - 1), is = () => kept.days.includes(date.toISOString().slice(0, 10));
    if (!is()) back(); // today's may still come
    let count = 0;
    for (; is(); back()) count += 1;
    line.textContent = count ? (count === 1 ? words.one : words.many.replace("COUNT", count)) : words.none;
  }
};
new MutationObserver(() => {
  if (document.querySelector("[data-streak]:empty, [data-puzzle]:not([data-shown])")) {
    for (const link of document.querySelectorAll("[data-puzzle]")) link.dataset.shown = "";
    ludoteca.showSolved();
  }
}).observe(document.documentElement, { childList: true, subtree: true });
