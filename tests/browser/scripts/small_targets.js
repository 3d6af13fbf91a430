// Controls, and labels of checkboxes and radio buttons, that are too small to tap.
(minSize) => {
  const CONTROLS = "button, [role=tab], select, summary, a.button, input:not([type=radio], [type=checkbox])";
  const top = [...document.querySelectorAll("dialog[open]")].pop() ?? document;
  const checkboxes = [...top.querySelectorAll("input:is([type=radio], [type=checkbox])")];
  const targets = new Set([
    ...top.querySelectorAll(CONTROLS),
    ...checkboxes.map((input) => input.closest("label") ?? input),
  ]);
  // A dagger is part of a line of text, where WCAG 2.2 requires 24 pixels.
  const minSizeOf = (target) => (target.matches(".assumption") ? 24 : minSize);
  const box = (target) => target.getBoundingClientRect();
  return [...targets]
    .filter((target) => target.checkVisibility({ visibilityProperty: true }) && box(target).width > 1)
    .filter((target) => Math.min(box(target).width, box(target).height) < minSizeOf(target) - 0.5)
    .map((target) => {
      const name = (target.getAttribute("aria-label") ?? target.textContent).trim().slice(0, 40);
      return `${name}: ${Math.round(box(target).width)} x ${Math.round(box(target).height)}`;
    });
}
