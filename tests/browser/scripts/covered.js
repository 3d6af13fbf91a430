// What lies over a player's own cards, or keeps them, the bets, the board or the choices out of sight.
(least) => {
  const GRID = [0.08, 0.3, 0.5, 0.7, 0.92];
  const box = (one) => one.getBoundingClientRect();
  const inside = ({ left, top, right, bottom }) =>
    left >= -0.5 && top >= -0.5 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
  const told = (one) => {
    const { left, top, width, height } = box(one);
    const name = one.getAttribute("aria-label") ?? one.textContent.trim().replace(/\s+/g, " ");
    return `${name.slice(0, 40)} at ${Math.round(left)},${Math.round(top)} of ${Math.round(width)}x${Math.round(height)}`;
  };
  const points = (one) => {
    const { left, top, width, height } = box(one);
    return GRID.flatMap((x) => GRID.map((y) => [left + x * width, top + y * height]));
  };
  const above = (one, places) => {
    const over = places.map(([x, y]) => document.elementFromPoint(x, y)).filter((top) => !one.contains(top));
    return over.length ? [`${told(one)}: ${over.length} of ${places.length} points under <${over[0]?.className ?? "nothing"}>`] : [];
  };
  const middle = (one) => [[box(one).left + box(one).width / 2, box(one).top + box(one).height / 2]];
  const seen = (one, places) => (inside(box(one)) ? above(one, places) : [`${told(one)} is outside ${innerWidth}x${innerHeight}`]);
  const all = (where, what) => [...document.querySelectorAll(where)].flatMap((one) => [...one.querySelectorAll(what)]);
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  const bets = all('[aria-label^="Your spot"], [aria-label^="Su puesto"]', ".amount.staked").filter(shown);
  const own = all('[aria-label^="Your spot"], [aria-label^="Su puesto"]', ".card");
  const board = all('[aria-label$="cards"], [aria-label^="Cartas"]', ".card");
  const choices = all('[role="group"]:is([aria-label="Actions"], [aria-label="Acciones"])', "button").filter(shown);
  const pinned = [...document.querySelectorAll("body *")].filter(
    (one) => shown(one) && ["fixed", "sticky"].includes(getComputedStyle(one).position),
  );
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const root = document.documentElement;
  return [
    ...(own.length ? [] : ["no card of one's own"]),
    ...own.flatMap((one) => seen(one, points(one))),
    ...own.filter((one) => box(one).width < least).map((one) => `${told(one)} is smaller than ${least}`),
    ...bets.flatMap((one) => seen(one, middle(one))),
    ...board.flatMap((one) => seen(one, middle(one))),
    ...(choices.length ? choices.flatMap((one) => seen(one, middle(one))) : ["nothing to choose"]),
    ...pinned.flatMap((one) => own.filter((card) => meet(box(one), box(card))).map((card) => `${told(card)} lies under a pinned <${one.className}>`)),
    ...(root.scrollWidth > innerWidth ? [`the page is ${root.scrollWidth} wide`] : []),
    ...(scrollX || scrollY ? ["the page was scrolled"] : []),
  ];
}
