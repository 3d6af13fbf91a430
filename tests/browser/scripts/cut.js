// Short words in the cells of a table that stand on two lines; at a hyphen or a dash they may.
() => {
  const cut = [];
  const place = document.createRange();
  for (const cell of document.querySelectorAll("td, th")) {
    const text = cell.firstChild;
    if (text?.nodeType !== Node.TEXT_NODE) continue;
    for (const { 0: word, index } of text.data.matchAll(/\S+/g)) {
      if (word.length > 12 || /[-–]/.test(word)) continue;
      place.setStart(text, index);
      place.setEnd(text, index + word.length);
      const lines = new Set([...place.getClientRects()].map((one) => Math.round(one.top)));
      if (lines.size > 1) cut.push(word);
    }
  }
  return cut;
}
