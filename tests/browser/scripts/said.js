// All that the page says, to eyes and to ears, one text a line.
() => {
  const root = document.getElementById("page");
  const texts = [document.title];
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) texts.push(walk.currentNode.data);
  for (const name of ["aria-label", "title", "placeholder", "alt"])
    for (const one of root.querySelectorAll(`[${name}]`)) texts.push(one.getAttribute(name));
  return texts.map((one) => one.replace(/\s+/g, " ").trim()).filter(Boolean);
}
