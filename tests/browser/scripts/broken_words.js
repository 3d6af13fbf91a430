// Short words in table cells that break over two lines. A break at a hyphen or dash is fine.
() => {
  const broken = [];
  const range = document.createRange();
  for (const cell of document.querySelectorAll("td, th")) {
    const text = cell.firstChild;
    if (text?.nodeType !== Node.TEXT_NODE) continue;
    for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
      if (word.length > 12 || /[-–]/.test(word)) continue;
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top)));
      if (lines.size > 1) broken.push(word);
    }
  }
  return broken;
}
