/**
 * Words come last: code says a key and its fields, and the chosen language's catalogue has the text.
 *
 *     say("table.bets", { seat: 3, amount: "25.00" })
 *
 * Whatever shows what `say` gives is shown anew when the language changes.
 */

import { untrack } from "svelte";

import { Catalogue, type Files, type Given, type Piece } from "./catalogue";
import english from "./en";
import { dated, DOLLAR, percent } from "./formats";
import { ENGLISH, type Language } from "./languages";
import type { Plain, Marked } from "./schema";

/** Keys whose text has no tags, and what fills in their blanks. */
export type { Marked, Plain } from "./schema";

/** The fields of a key; none need be given where it has no blanks. */
export type Fields<All, Key extends keyof All> = keyof All[Key] extends never
  ? [fields?: Record<string, never>]
  : [fields: All[Key]];

const ENGLISH_WORDS = new Catalogue(english);
const OTHERS = import.meta.glob<Files>(["./*/index.ts", "!./en/index.ts"], { import: "default" });
const loaded: Partial<Record<Language, Catalogue>> = { [ENGLISH]: ENGLISH_WORDS };

let spoken = $state<Language>(ENGLISH);
let words = $state.raw(ENGLISH_WORDS);

/** The language that the page speaks now. */
export const speaks = (): Language => spoken;

/** How that language writes numbers, cards, lists, and money: of the currency at hand, or another. */
export const habits = (currency?: string | null) =>
  currency ? words.in(currency).habits : words.habits;

/** The text of a key in the language that the page speaks. */
export const say = <Key extends keyof Plain>(key: Key, ...fields: Fields<Plain, Key>): string =>
  text(key, fields[0] ?? {});

/** `say`, where money is of a currency: for one table among others. */
export const sayIn =
  (currency?: string | null): typeof say =>
  (key, ...fields) =>
    words.in(currency ?? words.currency).text(key, fields[0] ?? {}) ?? say(key, ...fields);

/** The same, cut at the text's tags: for Message.svelte. */
export const saidIn = <Key extends keyof Marked>(key: Key, given: Given): Piece[] =>
  words.pieces(key, given) ?? ENGLISH_WORDS.pieces(key, given) ?? [{ tag: null, text: key }];

/** Speak a language from now on; where its words cannot be had, the one of before stays. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  const catalogue = (loaded[language] ??= await fetchCatalogue(language));
  if (wanted !== language) return; // Somebody chose another one while the words were on their way.
  words = catalogue.in(untrack(() => words).currency);
  spoken = language;
}

let wanted: Language = ENGLISH;

/** What money is of on this screen. */
export const dealtIn = (): string => words.currency;

/** From now on money is of a sheet's currency; of dollars where it names none. */
export function dealIn(currency: string | undefined | null): void {
  words = untrack(() => words).in(currency ?? DOLLAR);
}

/** While a screen shows a sheet or a table, money is of its currency. */
export function dealsIn(currency: () => string | undefined | null): void {
  const now = $derived(currency());
  $effect.pre(() => {
    dealIn(now);
    return () => dealIn(DOLLAR);
  });
}

/** The browser's own variety of the language, or the language: how its days and hours are written. */
export function locale(): string {
  const language = globalThis.navigator?.language ?? spoken;
  return language.toLowerCase().split("-")[0] === spoken ? language : spoken;
}

/** A moment, by the clock of whoever looks. */
export const moment = (at: string | number, style: Intl.DateTimeFormatOptions): string =>
  dated(at, style, locale());

/** A share of one in hundredths, to some places. */
export const percentage = (share: number, places: number): string =>
  percent(share, places, words.habits);

function text(key: string, given: Given): string {
  return words.text(key, given) ?? ENGLISH_WORDS.text(key, given) ?? key;
}

async function fetchCatalogue(language: Language): Promise<Catalogue> {
  const files = OTHERS[`./${language}/index.ts`];
  return files ? new Catalogue(await files()) : ENGLISH_WORDS;
}
