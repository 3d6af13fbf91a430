/** Finds glossary terms in a text: each once, longest first, whole words only. */

import type { Term } from "../api/types";

export interface Stretch {
  text: string;
  term: Term | null;
}

/** The text split at glossary terms. */
export function markTerms(text: string, terms: readonly Term[]): Stretch[] {
  const byForm = formsOf(terms);
  if (byForm.size === 0) return [{ text, term: null }];
  const splitTags: Stretch[] = [];
  const termsSeen = new Set<string>();
  let position = 0;
  for (const match of text.matchAll(patternOf(byForm))) {
    const term = byForm.get(match[0].toLowerCase());
    if (!term || termsSeen.has(term.term)) continue;
    termsSeen.add(term.term);
    if (match.index > position)
      splitTags.push({ text: text.slice(position, match.index), term: null });
    splitTags.push({ text: match[0], term });
    position = match.index + match[0].length;
  }
  if (position < text.length) splitTags.push({ text: text.slice(position), term: null });
  return splitTags;
}

function formsOf(terms: readonly Term[]): Map<string, Term> {
  const formEntries = terms.flatMap((term) =>
    term.forms.split("|").map((form): [string, Term] => [form.toLowerCase(), term]),
  );
  return new Map(formEntries);
}

function patternOf(byForm: Map<string, Term>): RegExp {
  const forms = [...byForm.keys()].sort((form, other) => other.length - form.length);
  const pattern = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "giu");
}
