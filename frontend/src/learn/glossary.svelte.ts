/** The glossary: loaded when first needed, and again after a language change. */

import { get } from "../api/requests";
import type { Term } from "../api/types";
import { currentLanguage } from "../words/say.svelte";

let terms: readonly Term[] = $state.raw([]);
let requested = "";

/** The terms; empty until they are loaded. */
export function glossary(): readonly Term[] {
  return terms;
}

/** Load the terms if necessary. If that fails, pages show plain text. */
export function fetchTerms(): void {
  const language = currentLanguage();
  if (requested === language) return;
  requested = language;
  get("/api/glossary").then(
    (answer) => {
      if (requested === language) terms = answer.terms;
    },
    () => (requested = ""),
  );
}
