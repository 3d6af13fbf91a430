// Texts in the header that overlap.
() => {
  const headers = [...document.querySelectorAll("header.top")];
  const texts = headers
    .flatMap((header) => [...header.querySelectorAll("a, button, b")])
    .filter((element) => element.checkVisibility());
  const textBox = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };
  const overlap = (first, second) => {
    const [a, b] = [textBox(first), textBox(second)];
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom && b.top < a.bottom;
  };
  return texts
    .flatMap((first, n) => texts.slice(n + 1).map((second) => [first, second]))
    .filter(([first, second]) => !first.contains(second) && !second.contains(first) && overlap(first, second))
    .map((pair) => pair.map((element) => element.textContent.trim()).join(" over "));
}
