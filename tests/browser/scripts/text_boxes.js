// The box of each visible line of text and each card face, with the text that it belongs to.
() => {
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const boxes = [];
  const add = (box, name, of = boxes.length) => {
    const { left, top, right, bottom } = box;
    if (right - left < 4 || bottom - top < 6 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return;
    const topmost = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (topmost?.closest("[inert]")) return;
    boxes.push({ box: [left, top, right, bottom].map(Math.round), name, of });
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let number = 0;
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    number--;
    const parent = text.parentElement;
    if (!text.data.trim() || !isVisible(parent) || parent.closest(".hidden, option, script, style, title")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) {
      const topmost = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
      if (topmost && (parent.contains(topmost) || topmost.contains(parent)))
        add(box, `"${text.data.trim().slice(0, 30)}" in <${parent.className?.baseVal ?? parent.className}>`, number);
    }
  }
  for (const face of document.querySelectorAll(".card .front"))
    add(face.getBoundingClientRect(), face.closest("[aria-label]").getAttribute("aria-label"));
  return boxes;
}
