/** Clause numbers in the server's sentences, and the rules based on a clause. */

import type { ClauseRule, Sheet } from "../api/types";
import { say } from "../words/say.svelte";

/** The rules of a sheet that cite a clause, with their provenance and notes. */
export function rulesOf(sheet: Sheet, clause: string): ClauseRule[] {
  const tables = sheet.pay_tables
    .filter((rule) => rule.clause === clause)
    .map((rule) => ({
      words: say("parts.pay-table", { title: rule.title }),
      ours: rule.whose,
      notes: rule.note ? [rule.note] : [],
    }));
  const sentences = sheet.aloud
    .filter((line) => line.label !== null && line.clauses.includes(clause))
    .map((line) => ({
      words: line.label ? `${line.label}: ${line.words}` : line.words,
      ours: line.ours,
      notes: line.notes,
    }));
  return [...tables, ...sentences];
}

/** Marks what the source does not say. */
export const DAGGER = "†";

/** The text of a dagger with the sheet's reasons; empty if nothing is assumed. */
export const withReason = (
  assumption: string | undefined,
  notes: readonly (string | null | undefined)[],
): string => (assumption ? [assumption, ...notes].filter(Boolean).join(" ") : "");

// A clause of our documents, CMS-12, or a section of a regulation, 643a.7.
const CLAUSE = /\b(?:(?:GEN|CMS|OMS|MHL|LAS|CST|CHE|UTC|CWR)-\d+|\d{3}a\.\d+)\b/g;

/** A sentence split into clause numbers and other text. */
export function splitClauses(text: string): { text: string; clause: boolean }[] {
  const splitClauses: { text: string; clause: boolean }[] = [];
  let from = 0;
  for (const match of text.matchAll(CLAUSE)) {
    if (match.index > from)
      splitClauses.push({ text: text.slice(from, match.index), clause: false });
    splitClauses.push({ text: match[0], clause: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) splitClauses.push({ text: text.slice(from), clause: false });
  return splitClauses;
}
