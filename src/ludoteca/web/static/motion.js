// Motion on every board: pieces go from where they were in the old picture to where they are in the new one.
// A piece is what has `data-piece`, a key that is the same in every picture of a match (see `Picture.piece`). Only
// transform and opacity are animated, nothing waits for an animation, and there is none where the system asks for that.
ludoteca.motion = { calm: matchMedia("(prefers-reduced-motion: reduce)"), last: new WeakMap(), running: new Map() };
ludoteca.motion.MOST = 9; // pieces that may be new: more of them are a jump to another position
ludoteca.motion.TIMES = { move: 260, corner: 360, drop: 240, turn: 420, fade: 240 }; // milliseconds

// The pieces of a picture by their keys, each with its box in the units of the picture.
ludoteca.motion.pieces = (svg) => {
  const found = new Map();
  for (const node of svg.querySelectorAll("[data-piece]")) {
    const { x, y, width, height } = node.getBBox();
    const at = { node, x: x + width / 2, y: y + height / 2, size: Math.max(width, height), turn: Number(node.dataset.turn ?? 0) };
    found.set(node.dataset.piece, at);
  }
  return found;
};

// Where a piece starts, seen from where it is now.
ludoteca.motion.start = (was, is) => {
  const turn = ((was.turn - is.turn + 540) % 360) - 180;
  const scale = is.size > 0 && was.size > 0 ? was.size / is.size : 1;
  return { x: was.x - is.x, y: was.y - is.y, turn: turn === -180 ? 180 : turn, scale };
};
ludoteca.motion.transform = ({ x, y, turn, scale }, wide = 1) =>
  `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) rotate(${turn}deg) scale(${(scale * wide).toFixed(3)}, ${scale.toFixed(3)})`;

// Animates a piece. One that is drawn anew meanwhile goes on where it was; see `drawn`.
ludoteca.motion.run = (is, frames, duration, begun = 0) => {
  const { running } = ludoteca.motion, key = is.node.dataset.piece;
  const animation = is.node.animate(frames, { duration, easing: "cubic-bezier(.25, .8, .35, 1)", fill: "backwards" });
  animation.currentTime = begun;
  const entry = { animation, frames, duration, x: is.x, y: is.y };
  running.set(key, entry);
  animation.finished.then(() => running.get(key) === entry && running.delete(key), () => {});
};

// A copy that nobody can click or hear, which goes away by itself.
ludoteca.motion.ghost = (svg, was, frames, duration) => {
  const copy = was.node.cloneNode(true);
  for (const each of [copy, ...copy.querySelectorAll("[data-piece], [data-last]")]) {
    each.removeAttribute("data-piece");
    each.removeAttribute("data-last");
  }
  copy.setAttribute("aria-hidden", "true");
  copy.classList.add("leaving");
  svg.insertBefore(copy, svg.querySelector(".spot"));
  const gone = () => copy.remove();
  copy.animate(frames, { duration, easing: "ease-out", fill: "forwards" }).finished.then(gone, gone);
};

ludoteca.motion.move = (is, was) => {
  const { start, transform, TIMES, run } = ludoteca.motion, from = start(was, is), end = { transform: "none" };
  if (!is.node.dataset.corner) return run(is, [{ transform: transform(from) }, end], TIMES.move);
  const turn = Math.abs(from.x) > Math.abs(from.y) ? { ...from, x: 0 } : { ...from, y: 0 }; // the longer way first
  return run(is, [{ transform: transform(from) }, { transform: transform(turn), offset: 0.6 }, end], TIMES.corner);
};

// A new piece comes from another one, perhaps turned over on its way, or drops onto the board.
ludoteca.motion.enter = (svg, is, source) => {
  const { start, transform, TIMES, run, ghost } = ludoteca.motion;
  if (!source) {
    const above = { x: 0, y: -0.9 * is.size, turn: 0, scale: 1.35 };
    return run(is, [{ transform: transform(above), opacity: 0 }, { opacity: 1, offset: 0.5 }, { transform: "none" }], TIMES.drop);
  }
  const from = start(source, is), half = { x: from.x / 2, y: from.y / 2, turn: from.turn, scale: (1 + from.scale) / 2 };
  if (!is.node.dataset.turned) return run(is, [{ transform: transform(from) }, { transform: "none" }], TIMES.turn);
  const back = start(is, source), there = { x: back.x / 2, y: back.y / 2, turn: 0, scale: (1 + back.scale) / 2 };
  const edge = { transform: transform(there, 0.02), opacity: 1, offset: 0.97 };
  ghost(svg, source, [{ transform: "none", opacity: 1 }, edge, { transform: transform(there, 0), opacity: 0 }], TIMES.turn / 2);
  return run(is, [
    { transform: transform(half, 0), opacity: 0 }, { transform: transform(half, 0), opacity: 0, offset: 0.49 },
    { transform: transform(half, 0.02), opacity: 1, offset: 0.5 }, { transform: "none", opacity: 1 },
  ], TIMES.turn);
};

// A board has been drawn anew. Returns what has changed on it; null if that is not known or too much to follow.
ludoteca.motion.drawn = (board, svg) => {
  const { last, running, pieces, move, enter, run, ghost, calm, MOST, TIMES } = ludoteca.motion;
  const before = last.get(board), now = pieces(svg);
  last.set(board, now);
  if (!before || before.size === 0) return null;
  const moved = [], entered = [], left = [];
  for (const [key, is] of now) {
    const was = before.get(key);
    if (!was) entered.push(is);
    else if (Math.hypot(was.x - is.x, was.y - is.y) > 1 || was.turn !== is.turn || Math.abs(was.size - is.size) > 1) moved.push([is, was]);
  }
  for (const [key, was] of before) if (!now.has(key)) left.push(was);
  if (entered.length > MOST || left.length > MOST || entered.length === now.size) return null;
  if (calm.matches) return { moved, entered, left };
  const sources = new Set(entered.map((is) => is.node.dataset.from));
  for (const [is, was] of moved) move(is, ludoteca.motion.dropped(is) ?? was);
  for (const is of entered) enter(svg, is, before.get(is.node.dataset.from) ?? now.get(is.node.dataset.from));
  for (const was of left) {
    if (sources.has(was.node.dataset.piece)) continue; // it has become what came from it
    ghost(svg, was, [{ opacity: 1 }, { opacity: 0, transform: "scale(1.4)" }], TIMES.fade);
  }
  for (const [key, { animation, frames, duration, x, y }] of [...running]) { // what was still on its way
    const is = now.get(key);
    if (!is || is.node.contains(animation.effect?.target) || Math.hypot(is.x - x, is.y - y) > 1) continue;
    if (animation.playState === "running") run(is, frames, duration, animation.currentTime);
  }
  if (moved.length + entered.length + left.length > 0) ludoteca.motion.emphasise(svg, board);
  return { moved, entered, left };
};

// The last action is marked as soon as its piece has arrived; what the agent says about it comes after that.
ludoteca.motion.emphasise = (svg, board) => {
  for (const mark of svg.querySelectorAll("[data-last]")) {
    if (mark.closest("[data-piece]")) continue; // which moves already
    mark.animate([{ opacity: 0, transform: "scale(2.6)" }, { opacity: 1, transform: "none" }],
      { duration: 260, delay: 180, easing: "ease-out", fill: "backwards" });
  }
  for (const words of board.closest(".match-page")?.querySelectorAll(".status .news, .status .why, .thought") ?? [])
    words.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 160, delay: 280, fill: "backwards" });
};

// Where a visitor dropped the piece that they dragged, in the units of the picture; only once.
ludoteca.motion.dropped = (is) => {
  const drop = ludoteca.motion.drop;
  if (!drop || drop.key !== is.node.dataset.piece) return null;
  ludoteca.motion.drop = null;
  const point = new DOMPoint(drop.x, drop.y).matrixTransform(is.node.ownerSVGElement.getScreenCTM().inverse());
  return { x: point.x, y: point.y, size: drop.size, turn: 0 };
};

new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes) {
    const svg = target.classList?.contains("board") && [...addedNodes].find((each) => each.matches?.("svg"));
    if (!svg) continue;
    const change = ludoteca.motion.drawn(target, svg);
    if (change) ludoteca.sounds.moved(target, svg, change);
    ludoteca.plan.drawn(target, svg);
  }
}).observe(document.documentElement, { childList: true, subtree: true });
