// The document without the outlines of its drawings, whose letters look like cards.
() => {
  const copy = document.documentElement.cloneNode(true);
  for (const element of copy.querySelectorAll("script, style, link")) element.remove();
  for (const drawing of copy.querySelectorAll("[d], [transform]")) {
    drawing.removeAttribute("d");
    drawing.removeAttribute("transform");
  }
  return copy.outerHTML + copy.textContent;
}
