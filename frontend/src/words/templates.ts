/**
 * A catalogue's text with its blanks: a small part of ICU's message format, as the house reads it.
 *
 *     seat {seat} bets {amount, money}
 *     {cards, plural, =0 {no card} one {one card} other {{cards} cards}}
 *     {result, select, win {wins} push {pushes} other {loses}}
 *     {names, and} or {amounts, or, money}: a list, with a format for each that is in it
 *     read <rules>the rules</rules> first: a part that Message.svelte shows in its own way
 *
 * An apostrophe is an apostrophe, and a brace always opens or closes a blank.
 */

export interface Blank {
  field: string;
  format: string;
  each: string;
}

export interface Variants {
  field: string;
  kind: "plural" | "select";
  cases: Record<string, Part[]>;
}

export type Part = string | Blank | Variants;

/** A stretch of a text, within a tag or outside of all. */
export interface WordStretch {
  tag: string | null;
  parts: Part[];
}

export const LISTS = ["and", "or", "comma", "both", "either", "spaced"]; // "both": with "and" between all.

const PLAIN = /[^{}]+/y;
const BLANK = /\{\s*([a-z_]+)\s*(?:,\s*([a-z]+)\s*(?:,\s*([a-z]+)\s*)?)?\}/y;
const CHOICE = /\{\s*([a-z_]+)\s*,\s*(plural|select)\s*,\s*/y;
const CASE = /([^\s{}]+)\s*\{/y;
const SPACE = /\s*/y;
const TAG = /<([a-z]+)>(.*?)<\/\1>/gs;

/** The parts of a text; throws where its braces make no sense. */
export function parseTemplate(text: string): Part[] {
  const [parts, end] = message(text, 0);
  if (end < text.length) throw new Error(`a brace closes nothing: ${text.slice(0, end + 1)}`);
  return parts;
}

/** A text cut where its tags begin and end: blanks are filled in later, so no name can open one. */
export function stretches(text: string): WordStretch[] {
  const stretches: WordStretch[] = [];
  let from = 0;
  for (const { 0: whole, 1: tag, 2: within, index } of text.matchAll(TAG)) {
    if (index > from) stretches.push({ tag: null, parts: parseTemplate(text.slice(from, index)) });
    stretches.push({ tag: tag ?? null, parts: parseTemplate(within ?? "") });
    from = index + whole.length;
  }
  if (from < text.length) stretches.push({ tag: null, parts: parseTemplate(text.slice(from)) });
  return stretches;
}

/** Every blank and choice of a text, those within choices too. */
export function blanks(parts: Part[]): (Blank | Variants)[] {
  return parts.flatMap((part) => {
    if (typeof part === "string") return [];
    return "cases" in part ? [part, ...Object.values(part.cases).flatMap(blanks)] : [part];
  });
}

/** The parts from a place to the end, or to the brace that closes what was opened before. */
function message(text: string, at: number): [Part[], number] {
  const parts: Part[] = [];
  while (at < text.length && text.charAt(at) !== "}") {
    const match = plain(text, at) ?? blank(text, at) ?? choice(text, at);
    if (!match) throw new Error(`a brace opens no blank: ${text.slice(at)}`);
    parts.push(match[0]);
    at = match[1];
  }
  return [parts, at];
}

type Found = [Part, number] | null;

function plain(text: string, at: number): Found {
  const match = matchAt(PLAIN, text, at);
  return match && [match[0], at + match[0].length];
}

function blank(text: string, at: number): Found {
  const match = matchAt(BLANK, text, at);
  if (!match) return null;
  const [whole, field = "", format = "", each = ""] = match;
  return [{ field, format, each }, at + whole.length];
}

function choice(text: string, at: number): Found {
  const match = matchAt(CHOICE, text, at);
  if (!match) return null;
  const [whole, field = "", kind] = match;
  const [cases, end] = casesOf(text, at + whole.length);
  return [{ field, kind: kind as Variants["kind"], cases }, end];
}

function casesOf(text: string, at: number): [Variants["cases"], number] {
  const cases: Variants["cases"] = {};
  for (let match = matchAt(CASE, text, at); match; match = matchAt(CASE, text, at)) {
    const [parts, end] = message(text, at + match[0].length);
    if (text.charAt(end) !== "}") throw new Error(`a case is not closed: ${text.slice(at)}`);
    cases[match[1] ?? ""] = parts;
    at = end + 1 + (matchAt(SPACE, text, end + 1)?.[0].length ?? 0);
  }
  if (!Object.hasOwn(cases, "other") || text.charAt(at) !== "}") {
    throw new Error(`a choice ends with "other" and a brace: ${text}`);
  }
  return [cases, at + 1];
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
