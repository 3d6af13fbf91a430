/** The glossary, asked for when the first text wants it, and again in another language. */

import { get } from "../api/ask";
import type { Term } from "../api/types";
import { speaks } from "../words/say.svelte";

let terms: readonly Term[] = $state.raw([]);
let requested = "";

/** The words that are explained; none until they are here. */
export function glossary(): readonly Term[] {
  return terms;
}

/** Ask for them, unless they are here already. A page without them still reads. */
export function fetchTerms(): void {
  const language = speaks();
  if (requested === language) return;
  requested = language;
  get("/api/glossary").then(
    (answer) => {
      if (requested === language) terms = answer.terms;
    },
    () => (requested = ""),
  );
}
