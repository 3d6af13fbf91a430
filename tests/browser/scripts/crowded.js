// Words in the strip above that lie over one another.
() => {
  const strip = [...document.querySelectorAll("header.top")];
  const all = strip.flatMap((one) => [...one.querySelectorAll("a, button, b")]).filter((one) => one.checkVisibility());
  const box = (one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getBoundingClientRect();
  };
  const meet = (one, other) => {
    const [a, b] = [box(one), box(other)];
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom && b.top < a.bottom;
  };
  return all
    .flatMap((one, n) => all.slice(n + 1).map((other) => [one, other]))
    .filter(([one, other]) => !one.contains(other) && !other.contains(one) && meet(one, other))
    .map((both) => both.map((one) => one.textContent.trim()).join(" over "));
}
