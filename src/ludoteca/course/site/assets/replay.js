// Draws a match from its data: pieces.js has every part of every board once, a frame says which of them it is made of.
(function () {
  "use strict";
  var frames = [], ids = [];
  // A frame is what it keeps of the one before at its beginning and at its end, and what stands between.
  MATCH.frames.forEach(function (frame) {
    ids = ids.slice(0, frame[0]).concat(frame[2], ids.slice(ids.length - frame[1]));
    frames.push(ids);
  });
  var board = document.querySelector(".board"), slider = document.querySelector("input[type=range]");
  var moves = Array.prototype.slice.call(document.querySelectorAll("ol.moves li")), at = 0;
  function show(place) {
    at = Math.max(0, Math.min(frames.length - 1, place));
    board.innerHTML = frames[at].map(function (id) { return PIECES[id]; }).join("");
    slider.value = at;
    moves.forEach(function (move, index) { move.classList.toggle("now", index === at - 1); });
    if (at > 0 && moves[at - 1]) {
      var list = moves[at - 1].parentNode, top = moves[at - 1].offsetTop - list.offsetTop;
      if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 60) { list.scrollTop = top - 60; }
    }
  }
  slider.max = frames.length - 1;
  slider.addEventListener("input", function () { show(Number(slider.value)); });
  document.querySelectorAll("[data-by]").forEach(function (button) {
    button.addEventListener("click", function () { show(at + Number(button.dataset.by)); });
  });
  moves.forEach(function (move, index) { move.addEventListener("click", function () { show(index + 1); }); });
  document.addEventListener("keydown", function (event) {
    if (event.target === slider || event.ctrlKey || event.altKey || event.metaKey) { return; }
    var by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
    if (by) { event.preventDefault(); show(at + by); }
  });
  var asked = /^#move-(\d+)$/.exec(location.hash);
  show(asked ? Number(asked[1]) : frames.length - 1);
})();
