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
export interface TaggedText {
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
  const [parts, end] = parseMessage(text, 0);
  if (end < text.length) throw new Error(`a brace closes nothing: ${text.slice(0, end + 1)}`);
  return parts;
}

/** Split a text at its tags. Values are inserted later, so they cannot open tags. */
export function splitTags(text: string): TaggedText[] {
  const splitTags: TaggedText[] = [];
  let position = 0;
  for (const { 0: matched, 1: tag, 2: inner, index } of text.matchAll(TAG)) {
    if (index > position)
      splitTags.push({ tag: null, parts: parseTemplate(text.slice(position, index)) });
    splitTags.push({ tag: tag ?? null, parts: parseTemplate(inner ?? "") });
    position = index + matched.length;
  }
  if (position < text.length)
    splitTags.push({ tag: null, parts: parseTemplate(text.slice(position)) });
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
function parseMessage(text: string, position: number): [Part[], number] {
  const parts: Part[] = [];
  while (position < text.length && text.charAt(position) !== "}") {
    const match =
      parsePlain(text, position) ??
      parsePlaceholder(text, position) ??
      parseVariants(text, position);
    if (!match) throw new Error(`a brace opens no blank: ${text.slice(position)}`);
    parts.push(match[0]);
    position = match[1];
  }
  return [parts, position];
}

type ParseResult = [Part, number] | null;

function parsePlain(text: string, position: number): ParseResult {
  const match = matchAt(PLAIN, text, position);
  return match && [match[0], position + match[0].length];
}

function parsePlaceholder(text: string, position: number): ParseResult {
  const match = matchAt(BLANK, text, position);
  if (!match) return null;
  const [matched, field = "", format = "", each = ""] = match;
  return [{ field, format, each }, position + matched.length];
}

function parseVariants(text: string, position: number): ParseResult {
  const match = matchAt(CHOICE, text, position);
  if (!match) return null;
  const [matched, field = "", kind] = match;
  const [cases, end] = parseCases(text, position + matched.length);
  return [{ field, kind: kind as Variants["kind"], cases }, end];
}

function parseCases(text: string, position: number): [Variants["cases"], number] {
  const cases: Variants["cases"] = {};
  for (let match = matchAt(CASE, text, position); match; match = matchAt(CASE, text, position)) {
    const [parts, end] = parseMessage(text, position + match[0].length);
    if (text.charAt(end) !== "}") throw new Error(`a case is not closed: ${text.slice(position)}`);
    cases[match[1] ?? ""] = parts;
    position = end + 1 + (matchAt(SPACE, text, end + 1)?.[0].length ?? 0);
  }
  if (!Object.hasOwn(cases, "other") || text.charAt(position) !== "}") {
    throw new Error(`a choice ends with "other" and a brace: ${text}`);
  }
  return [cases, position + 1];
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}
