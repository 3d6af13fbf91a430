// When the first thing that can be pressed in the lobby stood there, by the browser's own clock.
const usable = () => document.querySelector("main article button:not([disabled])");
window.usableAt = new Promise((known) => {
  new MutationObserver((_, watching) => {
    if (!usable()) return;
    watching.disconnect();
    requestAnimationFrame(() => known(performance.now()));
  }).observe(document, { childList: true, subtree: true, attributes: true });
});
