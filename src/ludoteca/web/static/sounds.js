// Settings kept in the browser, and short sounds that are computed here. There is no sound until a visitor asks for it.
ludoteca.setting = (name) => {
  try {
    return localStorage.getItem(`ludoteca.${name}`);
  } catch {
    return null; // a browser that keeps nothing
  }
};
ludoteca.set = (name, value) => {
  try {
    localStorage.setItem(`ludoteca.${name}`, value);
  } catch {
    // then it holds for this page only
  }
};
ludoteca.vibrate = (event) => {
  if (event.pointerType === "touch" && ludoteca.setting("vibration") !== "off") navigator.vibrate?.(12);
};

ludoteca.sounds = { context: null };
// By name the notes: [kind, pitch, pitch at the end, begin, length, loudness]; seconds, and hertz of a tone or of a filter.
ludoteca.sounds.ALL = {
  stone: [["tone", 210, 110, 0, 0.09, 0.5], ["noise", 1800, 900, 0, 0.03, 0.25]],
  hoof: [["tone", 430, 330, 0, 0.05, 0.4], ["tone", 350, 260, 0.11, 0.06, 0.4]],
  tile: [["noise", 2600, 1500, 0, 0.045, 0.5], ["tone", 520, 380, 0.01, 0.05, 0.25]],
  card: [["noise", 900, 3800, 0, 0.13, 0.3]],
  coin: [["tone", 880, 880, 0.18, 0.07, 0.2], ["tone", 1320, 1320, 0.25, 0.16, 0.2]],
  bomb: [["noise", 500, 60, 0, 0.7, 0.7], ["tone", 90, 35, 0, 0.6, 0.6]],
  won: [["tone", 523, 523, 0.3, 0.16, 0.25], ["tone", 659, 659, 0.43, 0.16, 0.25], ["tone", 784, 784, 0.56, 0.4, 0.25]],
  lost: [["tone", 392, 385, 0.3, 0.22, 0.25], ["tone", 294, 280, 0.5, 0.45, 0.25]],
  drawn: [["tone", 440, 440, 0.3, 0.2, 0.2], ["tone", 440, 440, 0.52, 0.3, 0.2]],
};
ludoteca.sounds.BOARDS = { hex: "stone", horses: "hoof", dominoes: "tile", kittens: "card" };

ludoteca.sounds.play = (name) => {
  if (ludoteca.setting("sound") !== "on" || !window.AudioContext) return;
  const context = (ludoteca.sounds.context ??= new AudioContext());
  if (context.state === "suspended") context.resume();
  for (const [kind, from, to, begin, length, loudness] of ludoteca.sounds.ALL[name] ?? []) {
    const start = context.currentTime + begin, end = start + length, volume = context.createGain();
    volume.gain.setValueAtTime(loudness, start);
    volume.gain.exponentialRampToValueAtTime(0.001, end);
    volume.connect(context.destination);
    let source, pitch;
    if (kind === "tone") {
      source = context.createOscillator();
      source.type = "triangle";
      source.connect(volume);
      pitch = source.frequency;
    } else {
      source = context.createBufferSource();
      source.buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
      source.buffer.getChannelData(0).forEach((_, at, samples) => (samples[at] = 2 * Math.random() - 1));
      const filter = context.createBiquadFilter();
      filter.type = "bandpass";
      source.connect(filter).connect(volume);
      pitch = filter.frequency;
    }
    pitch.setValueAtTime(from, start);
    pitch.exponentialRampToValueAtTime(to, end);
    source.start(start);
    source.stop(end);
  }
};

// What has changed on a board is heard; see `ludoteca.motion.drawn`.
ludoteca.sounds.moved = (board, svg, { moved, entered, left }) => {
  const { play, BOARDS } = ludoteca.sounds, arrived = (key) => entered.some((is) => is.node.dataset.piece.startsWith(key));
  if (moved.length + entered.length === 0) return;
  if (arrived("bomb")) play("bomb");
  else play(Object.entries(BOARDS).find(([game]) => board.classList.contains(game))?.[1]);
  if (left.some((was) => was.node.dataset.piece.startsWith("token"))) play("coin");
  play(board.closest(".match-page")?.querySelector(".result")?.dataset.outcome);
};

// The switches of the settings, and the button beside a board, show what is kept and change it.
ludoteca.showSettings = () => {
  for (const box of document.querySelectorAll("[data-setting]")) {
    const kept = ludoteca.setting(box.dataset.setting) ?? box.dataset.default ?? "off";
    if (box.matches("input")) box.checked = kept === "on";
    else if (box.getAttribute("aria-pressed") !== String(kept === "on")) {
      box.setAttribute("aria-pressed", String(kept === "on"));
      box.querySelector("i").textContent = kept === "on" ? "volume_up" : "volume_off";
    }
  }
};
ludoteca.change = (name, on) => {
  ludoteca.set(name, on ? "on" : "off");
  ludoteca.showSettings();
  if (name === "sound") ludoteca.sounds.play("coin");
};
document.addEventListener("change", (event) => {
  if (event.target.matches("input[data-setting]")) ludoteca.change(event.target.dataset.setting, event.target.checked);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-setting]");
  if (button) ludoteca.change(button.dataset.setting, button.getAttribute("aria-pressed") !== "true");
  for (const open of document.querySelectorAll(".settings[open]")) if (!open.contains(event.target)) open.open = false;
});
document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && document.querySelector(".settings[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});
document.addEventListener("toggle", ludoteca.showSettings, true);
new MutationObserver((changes) => {
  if (changes.some(({ addedNodes }) => [...addedNodes].some((each) => each.querySelector?.("[data-setting]")))) ludoteca.showSettings();
}).observe(document.documentElement, { childList: true, subtree: true });
