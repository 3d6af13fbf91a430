/**
 * Parses message templates: a subset of the ICU message format, shared with the server.
 *
 *     seat {seat} bets {amount, money}
 *     {cards, plural, =0 {no card} one {one card} other {{cards} cards}}
 *     {result, select, win {wins} push {pushes} other {loses}}
 *     {names, and} or {amounts, or, money}: a list, with a format for each item
 *     read <rules>the rules</rules> first: markup, rendered by Message.svelte
 *
 * An apostrophe is literal, and a brace always opens or closes a placeholder.
 */

export interface Placeholder {
  field: string;
  format: string;
  each: string;
}

export interface Variants {
  field: string;
  kind: "plural" | "select";
  cases: Record<string, Part[]>;
}

export type Part = string | Placeholder | Variants;

/** A stretch of text inside one tag or outside all. */
export interface WordStretch {
  tag: string | null;
  parts: Part[];
}

export const LISTS = ["and", "or", "comma", "both", "either", "spaced"]; // "both" puts "and" between all items.

const PLAIN = /[^{}]+/y;
const BLANK = /\{\s*([a-z_]+)\s*(?:,\s*([a-z]+)\s*(?:,\s*([a-z]+)\s*)?)?\}/y;
const CHOICE = /\{\s*([a-z_]+)\s*,\s*(plural|select)\s*,\s*/y;
const CASE = /([^\s{}]+)\s*\{/y;
const SPACE = /\s*/y;
const TAG = /<([a-z]+)>(.*?)<\/\1>/gs;

/** Parse a text. Throws if its braces do not match. */
export function parseTemplate(text: string): Part[] {
  const [parts, end] = message(text, 0);
  if (end < text.length) throw new Error(`a brace closes nothing: ${text.slice(0, end + 1)}`);
  return parts;
}

/** Split a text at its tags. Values are inserted later, so they cannot open tags. */
export function splitTags(text: string): WordStretch[] {
  const splitTags: WordStretch[] = [];
  let from = 0;
  for (const { 0: whole, 1: tag, 2: within, index } of text.matchAll(TAG)) {
    if (index > from) splitTags.push({ tag: null, parts: parseTemplate(text.slice(from, index)) });
    splitTags.push({ tag: tag ?? null, parts: parseTemplate(within ?? "") });
    from = index + whole.length;
  }
  if (from < text.length) splitTags.push({ tag: null, parts: parseTemplate(text.slice(from)) });
  return splitTags;
}

/** All placeholders and choices, including nested ones. */
export function placeholders(parts: Part[]): (Placeholder | Variants)[] {
  return parts.flatMap((part) => {
    if (typeof part === "string") return [];
    return "cases" in part ? [part, ...Object.values(part.cases).flatMap(placeholders)] : [part];
  });
}

/** The parts up to the end, or to the brace that closes the enclosing one. */
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
