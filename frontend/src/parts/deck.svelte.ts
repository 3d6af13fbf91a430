/** The deck's drawings: fetched once and put into the page, where every card is made of them. */

import drawings from "./deck.svg?url";

/** Whether they are there; until then cards are plain. */
export const deck = $state({ laid: false });

export async function layDeck(): Promise<void> {
  const answer = await fetch(drawings);
  if (!answer.ok) return;
  const drawn = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  const sprite = document.importNode(drawn.documentElement, true);
  sprite.classList.add("deck-drawings");
  document.body.prepend(sprite);
  deck.laid = true;
}
