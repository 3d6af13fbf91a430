// Words in the color of their ground: behind forced letters the browser lays a plate of that color.
() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = "Canvas";
  const ground = getComputedStyle(probe).color;
  probe.remove();
  const said = (one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const lost = (one) => {
    const { color, forcedColorAdjust } = getComputedStyle(one);
    return forcedColorAdjust !== "none" && color === ground;
  };
  return [...document.querySelectorAll("body *")]
    .filter((one) => said(one) && one.checkVisibility({ opacityProperty: true }) && lost(one))
    .map((one) => one.textContent.trim().slice(0, 40));
}
