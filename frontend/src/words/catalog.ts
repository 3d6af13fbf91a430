/** A language's message catalog: looks up a key's text and fills in its placeholders. */

import { DOLLAR, FORMATS, type Habits, joinWords, signOf } from "./formats";
import {
  type Blank,
  type Variants,
  LISTS,
  type Part,
  type WordStretch,
  stretches,
} from "./templates";

/** Values for placeholders, by name. */
export type Given = Readonly<Record<string, unknown>>;

/** Files of a language by name: "./table.json" has the keys that begin with "table". */
export type Files = Record<string, Record<string, unknown>>;

/** A piece of a text, inside one tag or outside all. */
export interface Piece {
  tag: string | null;
  text: string;
}

const HABITS = "./format.json";
const MISSING = "…"; // The compiler requires every field, but server data may lack one.

export class Catalogue {
  readonly habits: Habits;
  readonly texts: Record<string, string> = {};
  private read: Record<string, WordStretch[]> = {};

  constructor(
    private readonly files: Files,
    readonly currency = DOLLAR,
    /** Cached catalogs by currency, shared by all of them. */
    private readonly all: Record<string, Catalogue> = {},
  ) {
    all[currency] = this;
    this.habits = { ...(files[HABITS] as unknown as Habits), sign: signOf(currency) };
    for (const [name, texts] of Object.entries(files)) {
      if (name === HABITS) continue;
      const area = name.replace(/^\.\/|\.json$/g, "");
      for (const [key, text] of Object.entries(texts)) {
        this.texts[`${area}.${key}`] = text as string;
      }
    }
  }

  /** The same catalog for another currency. */
  in(currency: string): Catalogue {
    return (this.all[currency] ??= new Catalogue(this.files, currency, this.all));
  }

  /** The text of a key with its values, or undefined for an unknown key. */
  text(key: string, given: Given): string | undefined {
    return this.pieces(key, given)
      ?.map((piece) => piece.text)
      .join("");
  }

  /** The same, split at its tags. */
  pieces(key: string, given: Given): Piece[] | undefined {
    return this.stretches(key)?.map(({ tag, parts }) => ({ tag, text: this.filled(parts, given) }));
  }

  private stretches(key: string): WordStretch[] | undefined {
    const text = this.texts[key];
    return text === undefined ? undefined : (this.read[key] ??= stretches(text));
  }

  private filled(parts: Part[], given: Given): string {
    return parts.map((part) => this.part(part, given)).join("");
  }

  private part(part: Part, given: Given): string {
    if (typeof part === "string") return part;
    if ("cases" in part) return this.filled(chooseCase(part, given[part.field]), given);
    const value = given[part.field];
    if (value === undefined || value === null) return MISSING;
    return LISTS.includes(part.format) ? this.list(part, value) : this.one(part.format, value);
  }

  private one(format: string, value: unknown): string {
    if (!format) return String(value);
    const formatter = FORMATS[format as keyof typeof FORMATS];
    return formatter(value as never, this.habits);
  }

  private list({ format, each }: Blank, value: unknown): string {
    const words = (value as unknown[]).map((entry) => this.one(each, entry));
    const { and, or } = this.habits.lists;
    if (format === "comma") return words.join(", ");
    if (format === "spaced") return words.join(" ");
    if (format === "either") return words.join(` ${or.word} `);
    if (format === "both") return words.join(` ${and.word} `);
    return joinWords(words, format === "and" ? and : or);
  }
}

/** The case for a value: an exact number, a plural category, or the value itself. */
function chooseCase({ kind, cases }: Variants, value: unknown): Part[] {
  const of = (name: string): Part[] | undefined =>
    Object.hasOwn(cases, name) ? cases[name] : undefined;
  const other = of("other") ?? [];
  if (kind === "select") return of(String(value)) ?? other;
  return of(`=${value}`) ?? (Number(value) === 1 ? of("one") : undefined) ?? other;
}
