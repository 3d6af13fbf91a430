// Texts wider than the button, link, heading or label that holds them.
() => {
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const spilled = [];
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const box = text.parentElement.closest(".button, nav a, dt, dd, h1, h2, h3, legend, label, summary");
    if (!box || text.parentElement.closest(".hidden, option") || !isVisible(box)) continue;
    const { left, right } = box.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(text);
    const sticksOut = (line) => line.width > 2 && (line.left < left - 1 || line.right > right + 1);
    if ([...range.getClientRects()].some(sticksOut)) spilled.push(text.data.trim());
  }
  return spilled;
}
