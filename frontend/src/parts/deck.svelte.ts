/** The deck's drawings: fetched with the first card that is shown, and put into the page, where every card is made of them. */

import drawings from "./deck.svg?url";

/** Whether they are there; until then cards are plain. */
export const deck = $state({ laid: false });

const LATER = 500;
let asked = false;

/** Before the first card is dealt, while nobody waits for anything: to lay it out takes longer than a frame. */
export function layDeckSoon(): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(layDeck);
  else setTimeout(layDeck, LATER);
}

/** Every card asks; a screen without cards has none of the two thousand parts. */
export function layDeck(): void {
  if (asked) return;
  asked = true;
  drawn()
    .then((sprite) => {
      document.body.prepend(sprite);
      deck.laid = true;
    })
    .catch(() => (asked = false)); // Cards stay plain until the next one asks, and the page goes on.
}

async function drawn(): Promise<Element> {
  const answer = await fetch(drawings);
  if (!answer.ok) throw new Error(answer.statusText);
  const read = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  const sprite = document.importNode(read.documentElement, true);
  sprite.classList.add("deck-drawings");
  return sprite;
}
