// Whether everything on the felt would still fit if the cards were this many times as wide.
(factor) => {
  const felt = document.querySelector(".felt");
  const unit = felt.style.getPropertyValue("--felt-unit");
  felt.style.setProperty("--felt-unit", `${parseFloat(unit) * factor}px`);
  const style = getComputedStyle(felt);
  const [left, top, right, bottom] = ["Left", "Top", "Right", "Bottom"].map((side) => parseFloat(style[`padding${side}`]));
  const feltBox = felt.getBoundingClientRect();
  const fits = [...felt.children]
    .filter((child) => child.offsetParent)
    .every((child) => {
      const box = child.getBoundingClientRect();
      return (
        child.scrollWidth <= child.clientWidth + 1 &&
        box.left >= feltBox.left + left - 2 &&
        box.top >= feltBox.top + top - 2 &&
        box.right <= feltBox.right - right + 2 &&
        box.bottom <= feltBox.bottom - bottom + 2
      );
    });
  felt.style.setProperty("--felt-unit", unit);
  return fits;
}
