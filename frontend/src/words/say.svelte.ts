/**
 * Translation: code names a key and its fields, and the current language's catalog has the text.
 *
 *     say("table.bets", { seat: 3, amount: "25.00" })
 *
 * The result is reactive: it updates when the language changes.
 */

import { untrack } from "svelte";

import { Catalog, type Files, type Values, type TextPart } from "./catalog";
import english from "./en";
import { formatDate, DOLLAR, percent } from "./formats";
import { ENGLISH, type Language } from "./languages";
import type { Plain, Marked } from "./schema";

/** Keys without tags, with the fields of their placeholders. */
export type { Marked, Plain } from "./schema";

/** The fields of a key, optional if it has no placeholders. */
export type Fields<All, Key extends keyof All> = keyof All[Key] extends never
  ? [fields?: Record<string, never>]
  : [fields: All[Key]];

const ENGLISH_WORDS = new Catalog(english);
const OTHERS = import.meta.glob<Files>(["./*/index.ts", "!./en/index.ts"], { import: "default" });
const loaded: Partial<Record<Language, Catalog>> = { [ENGLISH]: ENGLISH_WORDS };

let current = $state<Language>(ENGLISH);
let words = $state.raw(ENGLISH_WORDS);

/** The language that the page speaks now. */
export const currentLanguage = (): Language => current;

/** The formatting rules of the current language, with the current or another currency. */
export const formatRules = (currency?: string | null) =>
  currency ? words.in(currency).formatRules : words.formatRules;

/** The text of a key in the current language. */
export const say = <Key extends keyof Plain>(key: Key, ...fields: Fields<Plain, Key>): string =>
  text(key, fields[0] ?? {});

/** `say` for another currency, for a screen with several tables. */
export const sayIn =
  (currency?: string | null): typeof say =>
  (key, ...fields) =>
    words.in(currency ?? words.currency).text(key, fields[0] ?? {}) ?? say(key, ...fields);

/** The text of a key split at its tags, for Message.svelte. */
export const sayParts = <Key extends keyof Marked>(key: Key, given: Values): TextPart[] =>
  words.pieces(key, given) ?? ENGLISH_WORDS.pieces(key, given) ?? [{ tag: null, text: key }];

/** Switch the language. If its catalog cannot be loaded, the language stays. */
export async function setLanguage(language: Language): Promise<void> {
  wanted = language;
  const catalog = (loaded[language] ??= await fetchCatalog(language));
  if (wanted !== language) return; // The user chose another language meanwhile.
  words = catalog.in(untrack(() => words).currency);
  current = language;
}

let wanted: Language = ENGLISH;

/** The current currency. */
export const currentCurrency = (): string => words.currency;

/** Set the current currency; dollars by default. */
export function setCurrency(currency: string | undefined | null): void {
  words = untrack(() => words).in(currency ?? DOLLAR);
}

/** Use a currency while the component is mounted. */
export function useCurrency(currency: () => string | undefined | null): void {
  const now = $derived(currency());
  $effect.pre(() => {
    setCurrency(now);
    return () => setCurrency(DOLLAR);
  });
}

/** The browser's regional variant of the current language, for dates. */
export function locale(): string {
  const language = globalThis.navigator?.language ?? current;
  return language.toLowerCase().split("-")[0] === current ? language : current;
}

/** A date or time in the reader's time zone. */
export const moment = (at: string | number, style: Intl.DateTimeFormatOptions): string =>
  formatDate(at, style, locale());

/** A share as a percentage. */
export const percentage = (share: number, places: number): string =>
  percent(share, places, words.formatRules);

function text(key: string, given: Values): string {
  return words.text(key, given) ?? ENGLISH_WORDS.text(key, given) ?? key;
}

async function fetchCatalog(language: Language): Promise<Catalog> {
  const files = OTHERS[`./${language}/index.ts`];
  return files ? new Catalog(await files()) : ENGLISH_WORDS;
}
