// What sticks out sideways; a box that scrolls by itself may hold more than it shows.
() => {
  const root = document.documentElement;
  const clips = (one) =>
    one !== null && (getComputedStyle(one).overflowX !== "visible" || clips(one.parentElement));
  const out = (one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 1 && (right > root.clientWidth + 1 || left < -1) && !clips(one.parentElement);
  };
  const dialogs = [...document.querySelectorAll("dialog[open]")].filter((one) => one.scrollWidth > one.clientWidth);
  if (root.scrollWidth <= root.clientWidth && dialogs.length === 0) return [];
  const wide = [...document.body.querySelectorAll("*")].filter(out).slice(0, 3);
  return [`${root.scrollWidth} of ${root.clientWidth} px`, ...wide.map((one) => one.outerHTML.slice(0, 80))];
}
