// Where words and signs stand: the box of each line of text that is in sight, and whose it is.
() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const boxes = [];
  const keep = (box, name, of = boxes.length) => {
    const { left, top, right, bottom } = box;
    if (right - left < 4 || bottom - top < 6 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return;
    const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (seen?.closest("[inert]")) return;
    boxes.push({ box: [left, top, right, bottom].map(Math.round), name, of });
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let number = 0;
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    number--;
    const of = text.parentElement;
    if (!text.data.trim() || !shown(of) || of.closest(".hidden, option, script, style, title")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      const over = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      if (over && (of.contains(over) || over.contains(of))) keep(box, `"${text.data.trim().slice(0, 30)}" in <${of.className?.baseVal ?? of.className}>`, number);
    }
  }
  for (const card of document.querySelectorAll(".card .front")) keep(card.getBoundingClientRect(), card.closest("[aria-label]").getAttribute("aria-label"));
  return boxes;
}
