// What a finger may miss: things to press, and the labels of things to tick.
(least) => {
  const PRESSED = "button, [role=tab], select, summary, a.button, input:not([type=radio], [type=checkbox])";
  const top = [...document.querySelectorAll("dialog[open]")].pop() ?? document;
  const ticked = [...top.querySelectorAll("input:is([type=radio], [type=checkbox])")];
  const all = new Set([...top.querySelectorAll(PRESSED), ...ticked.map((one) => one.closest("label") ?? one)]);
  // A dagger stands in a line of text, where WCAG 2.2 asks for 24 pixels.
  const leastOf = (one) => (one.matches(".assumption") ? 24 : least);
  const size = (one) => one.getBoundingClientRect();
  return [...all]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && size(one).width > 1)
    .filter((one) => Math.min(size(one).width, size(one).height) < leastOf(one) - 0.5)
    .map((one) => {
      const name = (one.getAttribute("aria-label") ?? one.textContent).trim().slice(0, 40);
      return `${name}: ${Math.round(size(one).width)} x ${Math.round(size(one).height)}`;
    });
}
