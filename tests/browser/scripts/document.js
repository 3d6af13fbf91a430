// The document without its drawings' outlines, whose letters look like cards.
() => {
  const copy = document.documentElement.cloneNode(true);
  for (const one of copy.querySelectorAll("script, style, link")) one.remove();
  for (const one of copy.querySelectorAll("[d], [transform]")) {
    one.removeAttribute("d");
    one.removeAttribute("transform");
  }
  return copy.outerHTML + copy.textContent;
}
