// The color of each suit, as the style sheet has it now.
() => {
  const probe = document.body.appendChild(document.createElement("i"));
  const ink = (suit) => {
    probe.style.color = `var(--${suit})`;
    return getComputedStyle(probe).color;
  };
  const found = Object.fromEntries(["spade", "heart", "diamond", "club"].map((suit) => [suit, ink(suit)]));
  probe.remove();
  return found;
}
