// Texts in the color of their background. With forced colors the browser paints that color behind text.
() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "Canvas";
  const background = getComputedStyle(probe).color;
  probe.remove();
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const isInvisible = (element) => {
    const { color, forcedColorAdjust } = getComputedStyle(element);
    return forcedColorAdjust !== "none" && color === background;
  };
  return [...document.querySelectorAll("body *")]
    .filter((element) => hasText(element) && element.checkVisibility({ opacityProperty: true }) && isInvisible(element))
    .map((element) => element.textContent.trim().slice(0, 40));
}
