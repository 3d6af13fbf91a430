/** A language's message catalog: looks up a key's text and fills in its placeholders. */

import { DOLLAR, FORMATS, type FormatRules, joinWords, signOf } from "./formats";
import {
  type Placeholder,
  type Variants,
  LISTS,
  type Part,
  type TaggedText,
  splitTags,
} from "./templates";

/** Values for placeholders, by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Files of a language by name: "./table.json" has the keys that begin with "table". */
export type Files = Record<string, Record<string, unknown>>;

/** A piece of a text, inside one tag or outside all. */
export interface TextPart {
  tag: string | null;
  text: string;
}

const HABITS = "./format.json";
const MISSING = "…"; // The compiler requires every field, but server data may lack one.

export class Catalog {
  readonly formatRules: FormatRules;
  readonly texts: Record<string, string> = {};
  private read: Record<string, TaggedText[]> = {};

  constructor(
    private readonly files: Files,
    readonly currency = DOLLAR,
    /** Cached catalogs by currency, shared by all of them. */
    private readonly all: Record<string, Catalog> = {},
  ) {
    all[currency] = this;
    this.formatRules = { ...(files[HABITS] as unknown as FormatRules), sign: signOf(currency) };
    for (const [name, texts] of Object.entries(files)) {
      if (name === HABITS) continue;
      const area = name.replace(/^\.\/|\.json$/g, "");
      for (const [key, text] of Object.entries(texts)) {
        this.texts[`${area}.${key}`] = text as string;
      }
    }
  }

  /** The same catalog for another currency. */
  in(currency: string): Catalog {
    return (this.all[currency] ??= new Catalog(this.files, currency, this.all));
  }

  /** The text of a key with its values, or undefined for an unknown key. */
  text(key: string, given: Values): string | undefined {
    return this.pieces(key, given)
      ?.map((textPart) => textPart.text)
      .join("");
  }

  /** The same, split at its tags. */
  pieces(key: string, given: Values): TextPart[] | undefined {
    return this.splitTags(key)?.map(({ tag, parts }) => ({ tag, text: this.filled(parts, given) }));
  }

  private splitTags(key: string): TaggedText[] | undefined {
    const text = this.texts[key];
    return text === undefined ? undefined : (this.read[key] ??= splitTags(text));
  }

  private filled(parts: Part[], given: Values): string {
    return parts.map((part) => this.part(part, given)).join("");
  }

  private part(part: Part, given: Values): string {
    if (typeof part === "string") return part;
    if ("cases" in part) return this.filled(chooseCase(part, given[part.field]), given);
    const value = given[part.field];
    if (value === undefined || value === null) return MISSING;
    return LISTS.includes(part.format) ? this.list(part, value) : this.one(part.format, value);
  }

  private one(format: string, value: unknown): string {
    if (!format) return String(value);
    const formatter = FORMATS[format as keyof typeof FORMATS];
    return formatter(value as never, this.formatRules);
  }

  private list({ format, each }: Placeholder, value: unknown): string {
    const words = (value as unknown[]).map((entry) => this.one(each, entry));
    const { and, or } = this.formatRules.lists;
    if (format === "comma") return words.join(", ");
    if (format === "spaced") return words.join(" ");
    if (format === "either") return words.join(` ${or.word} `);
    if (format === "both") return words.join(` ${and.word} `);
    return joinWords(words, format === "and" ? and : or);
  }
}

/** The case for a value: an exact number, a plural category, or the value itself. */
function chooseCase({ kind, cases }: Variants, value: unknown): Part[] {
  const caseNamed = (name: string): Part[] | undefined =>
    Object.hasOwn(cases, name) ? cases[name] : undefined;
  const other = caseNamed("other") ?? [];
  if (kind === "select") return caseNamed(String(value)) ?? other;
  return caseNamed(`=${value}`) ?? (Number(value) === 1 ? caseNamed("one") : undefined) ?? other;
}
