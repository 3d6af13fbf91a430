/** The deck's drawings: fetched with the first card that is shown, and put into the page, where every card is made of them. */

import drawings from "./deck.svg?url";
import { whenIdle } from "./idle";

/** Whether they are there; until then cards are plain. */
export const deck = $state({ laid: false });

let requested = false;

/** Every card asks; a screen without cards has none of the two thousand parts. */
export function layDeck(): void {
  if (requested) return;
  requested = true;
  whenIdle(() => void loadDeck().catch(() => (requested = false))); // Cards stay plain until the next one asks.
}

/** To read them takes longer than a frame: what somebody waits for, as the games of a lobby, comes first. */
async function loadDeck(): Promise<void> {
  document.body.prepend(await drawDeck());
  deck.laid = true;
}

async function drawDeck(): Promise<Element> {
  const answer = await fetch(drawings);
  if (!answer.ok) throw new Error(answer.statusText);
  const read = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  const sprite = document.importNode(read.documentElement, true);
  sprite.classList.add("deck-drawings");
  return sprite;
}
