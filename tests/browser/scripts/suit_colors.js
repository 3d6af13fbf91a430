// The color of each suit in the current style sheet.
() => {
  const probe = document.body.appendChild(document.createElement("i"));
  const color = (suit) => {
    probe.style.color = `var(--${suit})`;
    return getComputedStyle(probe).color;
  };
  const colors = Object.fromEntries(["spade", "heart", "diamond", "club"].map((suit) => [suit, color(suit)]));
  probe.remove();
  return colors;
}
