/** The glossary, asked for when the first text wants it, and again in another language. */

import { get } from "../api/ask";
import type { Term } from "../api/types";
import { speaks } from "../words/say.svelte";

let terms: readonly Term[] = $state.raw([]);
let asked = "";

/** The words that are explained; none until they are here. */
export function known(): readonly Term[] {
  return terms;
}

/** Ask for them, unless they are here already. A page without them still reads. */
export function fetchTerms(): void {
  const language = speaks();
  if (asked === language) return;
  asked = language;
  get("/api/glossary").then(
    (told) => {
      if (asked === language) terms = told.terms;
    },
    () => (asked = ""),
  );
}
