/** Every language has every key of English, and every key is used. */

import { expect, test } from "vitest";

import type { Files } from "./catalog";
import { Catalog } from "./catalog";
import { LANGUAGES } from "./languages";
import { placeholders, splitTags } from "./templates";

const INDEXES = import.meta.glob<Files>("./*/index.ts", { eager: true, import: "default" });
const SOURCES = import.meta.glob<string>(
  ["../**/*.{ts,svelte}", "!../**/*.test.ts", "!../**/schema*"],
  { query: "?raw", import: "default", eager: true },
);
const languages = Object.fromEntries(
  Object.entries(INDEXES).map(([path, files]) => [path.split("/")[1] ?? "", new Catalog(files)]),
);
const english = languages["en"]?.texts ?? {};
const others = Object.keys(languages).filter((name) => name !== "en");

/** The names of a text's placeholders and tags. */
function namesIn(text: string): string[] {
  const tags = splitTags(text).flatMap(({ tag, parts }) => [
    ...(tag === null ? [] : [`<${tag}>`]),
    ...placeholders(parts).map((part) => part.field),
  ]);
  return [...new Set(tags)].sort();
}

test("every language that can be chosen has a catalog, and the other way round", () => {
  expect(Object.keys(languages).sort()).toEqual(Object.keys(LANGUAGES).sort());
  expect(others).toContain("es");
});

test.each(others)("%s has every key of English, and no other", (name) => {
  expect(Object.keys(languages[name]?.texts ?? {}).sort()).toEqual(Object.keys(english).sort());
});

test.each(others)("%s fills in the same blanks as English", (name) => {
  const texts = languages[name]?.texts ?? {};
  const differ = Object.entries(english)
    .filter(([key, text]) => key in texts && `${namesIn(text)}` !== `${namesIn(texts[key] ?? "")}`)
    .map(([key]) => key);
  expect(differ).toEqual([]);
});

test.each(others)("%s writes numbers, cards and lists as completely as English", (name) => {
  const [formatRules, measure] = [languages[name]?.formatRules, languages["en"]?.formatRules];
  expect(Object.keys(formatRules ?? {})).toEqual(Object.keys(measure ?? {}));
  expect(formatRules?.numbers.length).toBe(measure?.numbers.length);
  expect([formatRules?.ranks, formatRules?.suits].map((names) => Object.keys(names ?? {}))).toEqual(
    [measure?.ranks, measure?.suits].map((names) => Object.keys(names ?? {})),
  );
});

/** Keys in the code. `settings.theme.${name}` matches every key that it may become. */
function usedIn(code: string): (key: string) => boolean {
  const whole = new Set(
    [...code.matchAll(/["'`]([a-z][\w-]*(?:\.[\w-]+)+)["'`]/g)].map((m) => m[1]),
  );
  const keys = [...code.matchAll(/`([a-z][\w-]*\.[^`\s]*\$\{[^`]*)`/g)].map(
    ([, text = ""]) =>
      new RegExp(`^${text.replaceAll(".", "\\.").replace(/\$\{[^}]*\}/g, "[\\w-]+")}$`),
  );
  return (key) => whole.has(key) || keys.some((pattern) => pattern.test(key));
}

test("every key is said somewhere", () => {
  const isUsed = usedIn(Object.values(SOURCES).join("\n"));
  expect(Object.keys(english).filter((key) => !isUsed(key))).toEqual([]);
});

test("a key that nobody says would be found", () => {
  const isUsed = usedIn('say("a.b-c"); say(`a.theme.${one.two}`)');
  expect(["a.b-c", "a.theme.dark", "a.b", "a.theme"].map(isUsed)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
