/** Words of the glossary found in a text: each once, the longest first, and never within a word. */

import type { Term } from "../api/types";

export interface Stretch {
  text: string;
  term: Term | null;
}

/** A text cut at the words that the glossary knows. */
export function marked(text: string, terms: readonly Term[]): Stretch[] {
  const known = formsOf(terms);
  if (known.size === 0) return [{ text, term: null }];
  const found: Stretch[] = [];
  const met = new Set<string>();
  let last = 0;
  for (const match of text.matchAll(patternOf(known))) {
    const term = known.get(match[0].toLowerCase());
    if (!term || met.has(term.term)) continue;
    met.add(term.term);
    if (match.index > last) found.push({ text: text.slice(last, match.index), term: null });
    found.push({ text: match[0], term });
    last = match.index + match[0].length;
  }
  if (last < text.length) found.push({ text: text.slice(last), term: null });
  return found;
}

function formsOf(terms: readonly Term[]): Map<string, Term> {
  const all = terms.flatMap((term) =>
    term.forms.split("|").map((form): [string, Term] => [form.toLowerCase(), term]),
  );
  return new Map(all);
}

function patternOf(known: Map<string, Term>): RegExp {
  const forms = [...known.keys()].sort((one, other) => other.length - one.length);
  const any = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu");
}
