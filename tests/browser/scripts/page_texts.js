// All texts of the page, including those for screen readers.
() => {
  const root = document.getElementById("page");
  const texts = [document.title];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) texts.push(walker.currentNode.data);
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const element of root.querySelectorAll(`[${name}]`)) texts.push(element.getAttribute(name));
  return texts.map((text) => text.replace(/\s+/g, " ").trim()).filter(Boolean);
}
