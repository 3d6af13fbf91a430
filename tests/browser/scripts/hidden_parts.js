// What covers the player's own cards, and which cards, bets, board cards or choices are out of sight.
(minWidth) => {
  const GRID = [0.08, 0.3, 0.5, 0.7, 0.92];
  const box = (element) => element.getBoundingClientRect();
  const isOnScreen = ({ left, top, right, bottom }) =>
    left >= -0.5 && top >= -0.5 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
  const describe = (element) => {
    const { left, top, width, height } = box(element);
    const name = element.getAttribute("aria-label") ?? element.textContent.trim().replace(/\s+/g, " ");
    return `${name.slice(0, 40)} at ${Math.round(left)},${Math.round(top)} of ${Math.round(width)}x${Math.round(height)}`;
  };
  const gridPoints = (element) => {
    const { left, top, width, height } = box(element);
    return GRID.flatMap((x) => GRID.map((y) => [left + x * width, top + y * height]));
  };
  const coveredPoints = (element, points) => {
    const covers = points.map(([x, y]) => document.elementFromPoint(x, y)).filter((top) => !element.contains(top));
    return covers.length ? [`${describe(element)}: ${covers.length} of ${points.length} points under <${covers[0]?.className ?? "nothing"}>`] : [];
  };
  const center = (element) => [[box(element).left + box(element).width / 2, box(element).top + box(element).height / 2]];
  const problems = (element, points) =>
    isOnScreen(box(element)) ? coveredPoints(element, points) : [`${describe(element)} is outside ${innerWidth}x${innerHeight}`];
  const all = (parents, selector) =>
    [...document.querySelectorAll(parents)].flatMap((parent) => [...parent.querySelectorAll(selector)]);
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  const bets = all('[aria-label^="Your seat"], [aria-label^="Su puesto"]', ".amount.staked").filter(isVisible);
  const ownCards = all('[aria-label^="Your seat"], [aria-label^="Su puesto"]', ".card");
  const board = all('[aria-label$="cards"], [aria-label^="Cartas"]', ".card");
  const choices = all('[role="group"]:is([aria-label="Actions"], [aria-label="Acciones"])', "button").filter(isVisible);
  const pinned = [...document.querySelectorAll("body *")].filter(
    (element) => isVisible(element) && ["fixed", "sticky"].includes(getComputedStyle(element).position),
  );
  const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const root = document.documentElement;
  return [
    ...(ownCards.length ? [] : ["the player has no cards"]),
    ...ownCards.flatMap((card) => problems(card, gridPoints(card))),
    ...ownCards.filter((card) => box(card).width < minWidth).map((card) => `${describe(card)} is smaller than ${minWidth}`),
    ...bets.flatMap((bet) => problems(bet, center(bet))),
    ...board.flatMap((card) => problems(card, center(card))),
    ...(choices.length ? choices.flatMap((choice) => problems(choice, center(choice))) : ["there is no choice"]),
    ...pinned.flatMap((element) =>
      ownCards
        .filter((card) => overlap(box(element), box(card)))
        .map((card) => `${describe(card)} is under a pinned <${element.className}>`),
    ),
    ...(root.scrollWidth > innerWidth ? [`the page is ${root.scrollWidth} wide`] : []),
    ...(scrollX || scrollY ? ["the page was scrolled"] : []),
  ];
}
