// Whether everything on the felt would still lie within it, were the cards so many times as wide.
(times) => {
  const felt = document.querySelector(".felt");
  const now = felt.style.getPropertyValue("--felt-unit");
  felt.style.setProperty("--felt-unit", `${parseFloat(now) * times}px`);
  const style = getComputedStyle(felt);
  const [left, top, right, bottom] = ["Left", "Top", "Right", "Bottom"].map((side) => parseFloat(style[`padding${side}`]));
  const box = felt.getBoundingClientRect();
  const fits = [...felt.children].filter((one) => one.offsetParent).every((one) => {
    const own = one.getBoundingClientRect();
    return one.scrollWidth <= one.clientWidth + 1 && own.left >= box.left + left - 2 && own.top >= box.top + top - 2 &&
      own.right <= box.right - right + 2 && own.bottom <= box.bottom - bottom + 2;
  });
  felt.style.setProperty("--felt-unit", now);
  return fits;
}
