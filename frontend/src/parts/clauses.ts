/** Clauses in what the house says, and what a sheet made of one. */

import type { RuleOpened, Sheet } from "../api/types";
import { say } from "../words/say.svelte";

/** Every rule that a sheet rests on a clause, with its mark and our notes. */
export function rulesOf(sheet: Sheet, clause: string): RuleOpened[] {
  const tables = sheet.pay_tables
    .filter((one) => one.clause === clause)
    .map((one) => ({
      words: say("parts.pay-table", { title: one.title }),
      ours: one.whose,
      notes: one.note ? [one.note] : [],
    }));
  const said = sheet.aloud
    .filter((one) => one.label !== null && one.clauses.includes(clause))
    .map((one) => ({
      words: one.label ? `${one.label}: ${one.words}` : one.words,
      ours: one.ours,
      notes: one.notes,
    }));
  return [...tables, ...said];
}

// A clause as our documents number them, CMS-12, or a section of a code, 643a.7.
const CLAUSE = /\b(?:(?:GEN|CMS|OMS|MHL|LAS|CST|CHE|UTC|CWR)-\d+|\d{3}a\.\d+)\b/g;

/** A sentence in pieces, the clauses that it cites apart from its words. */
export function pieces(text: string): { text: string; clause: boolean }[] {
  const found: { text: string; clause: boolean }[] = [];
  let from = 0;
  for (const match of text.matchAll(CLAUSE)) {
    if (match.index > from) found.push({ text: text.slice(from, match.index), clause: false });
    found.push({ text: match[0], clause: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) found.push({ text: text.slice(from), clause: false });
  return found;
}
