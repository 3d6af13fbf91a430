/** The deck's SVG drawings, fetched with the first card and inserted into the page for all cards to use. */

import drawings from "./deck.svg?url";
import { whenIdle } from "./idle";

/** `laid` is true once the drawings are in the page. Until then cards are plain. */
export const deck = $state({ laid: false });

let requested = false;

/** Called by every card. A screen without cards never loads the drawings. */
export function layDeck(): void {
  if (requested) return;
  requested = true;
  whenIdle(() => void loadDeck().catch(() => (requested = false))); // On failure cards stay plain, and the next card retries.
}

/** Parsing takes longer than a frame, so it runs when the page is idle. */
async function loadDeck(): Promise<void> {
  document.body.prepend(await drawDeck());
  deck.laid = true;
}

async function drawDeck(): Promise<Element> {
  const answer = await fetch(drawings);
  if (!answer.ok) throw new Error(answer.statusText);
  const drawing = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  const sprite = document.importNode(drawing.documentElement, true);
  sprite.classList.add("deck-drawings");
  return sprite;
}
