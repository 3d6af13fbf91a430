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
  const met = new Set<string>();
  let last = 0;
  for (const match of text.matchAll(patternOf(byForm))) {
    const term = byForm.get(match[0].toLowerCase());
    if (!term || met.has(term.term)) continue;
    met.add(term.term);
    if (match.index > last) splitTags.push({ text: text.slice(last, match.index), term: null });
    splitTags.push({ text: match[0], term });
    last = match.index + match[0].length;
  }
  if (last < text.length) splitTags.push({ text: text.slice(last), term: null });
  return splitTags;
}

function formsOf(terms: readonly Term[]): Map<string, Term> {
  const all = terms.flatMap((term) =>
    term.forms.split("|").map((form): [string, Term] => [form.toLowerCase(), term]),
  );
  return new Map(all);
}

function patternOf(byForm: Map<string, Term>): RegExp {
  const forms = [...byForm.keys()].sort((form, other) => other.length - form.length);
  const any = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu");
}
