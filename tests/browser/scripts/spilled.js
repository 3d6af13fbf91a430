// Words that stick out of the button, link, heading or label that is drawn for them.
() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const box = text.parentElement.closest(".button, nav a, dt, dd, h1, h2, h3, legend, label, summary");
    if (!box || text.parentElement.closest(".hidden, option") || !shown(box)) continue;
    const { left, right } = box.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(text);
    const out = (line) => line.width > 2 && (line.left < left - 1 || line.right > right + 1);
    if ([...range.getClientRects()].some(out)) found.push(text.data.trim());
  }
  return found;
}
