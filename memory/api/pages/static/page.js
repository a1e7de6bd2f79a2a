// Keys: "/" goes to the question, arrows or j and k move between hits, Enter opens one; in a text
// n and p go to its next and its previous hit.
"use strict";
(() => {
  const typing = (at) => at.matches("input, textarea, select, [contenteditable]");
  const hits = () => [...document.querySelectorAll(".hits > li")];
  const move = (step) => {
    const all = hits();
    if (!all.length) return;
    const at = all.findIndex((hit) => hit.classList.contains("at"));
    const next = all[Math.max(0, Math.min(all.length - 1, at + step))];
    all.forEach((hit) => hit.classList.toggle("at", hit === next));
    next.querySelector("a.open").focus();
    next.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const inQuestion = event.target.id === "q";
    if (event.key === "/" && !typing(event.target)) {
      event.preventDefault();
      document.getElementById("q")?.focus();
    } else if (event.key === "ArrowDown" && (inQuestion || event.target.matches("a.open"))) {
      event.preventDefault();
      move(1);
    } else if (event.key === "ArrowUp" && event.target.matches("a.open")) {
      event.preventDefault();
      if (event.target !== document.querySelector("a.open")) move(-1);
      else {
        hits()[0].classList.remove("at");
        document.getElementById("q").focus();
      }
    } else if (!typing(event.target) && (event.key === "j" || event.key === "k")) {
      move(event.key === "j" ? 1 : -1);
    } else if (!typing(event.target) && (event.key === "n" || event.key === "p")) {
      document.querySelector(event.key === "n" ? "a[rel=next]" : "a[rel=prev]")?.click();
    }
  });
  const live = document.querySelector("[data-events]");
  if (live) {
    new EventSource(live.dataset.events).addEventListener("health", (event) => {
      const chosen = getSelection();  // a command about to be copied
      const inUse = live.contains(document.activeElement) || (!chosen.isCollapsed && live.contains(chosen.anchorNode));
      if (!inUse) live.innerHTML = event.data;
    });
  }
  // A screen reader says how many answers there are once the typing has paused, not all of them.
  const said = document.getElementById("said");
  let pause;
  document.addEventListener("htmx:after:swap", () => {
    clearTimeout(pause);
    pause = setTimeout(() => {
      said.textContent = document.querySelector("#results .count")?.textContent ?? "";
    }, 500);
  });
  document.querySelector(".cited")?.scrollIntoView({ block: "center" });
})();
