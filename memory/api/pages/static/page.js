// Keys: "/" goes to the question, arrows or j and k move between hits, Enter opens one.
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
      move(-1);
    } else if (!typing(event.target) && (event.key === "j" || event.key === "k")) {
      move(event.key === "j" ? 1 : -1);
    }
  });
  document.querySelector(".cited")?.scrollIntoView({ block: "center" });
})();
