// Elements wider than the page. A box that scrolls by itself may hold more than it shows.
() => {
  const root = document.documentElement;
  const isClipped = (element) =>
    element !== null && (getComputedStyle(element).overflowX !== "visible" || isClipped(element.parentElement));
  const sticksOut = (element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 1 && (right > root.clientWidth + 1 || left < -1) && !isClipped(element.parentElement);
  };
  const dialogs = [...document.querySelectorAll("dialog[open]")].filter(
    (dialog) => dialog.scrollWidth > dialog.clientWidth,
  );
  if (root.scrollWidth <= root.clientWidth && dialogs.length === 0) return [];
  const wide = [...document.body.querySelectorAll("*")].filter(sticksOut).slice(0, 3);
  return [`${root.scrollWidth} of ${root.clientWidth} px`, ...wide.map((element) => element.outerHTML.slice(0, 80))];
}
