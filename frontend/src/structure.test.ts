/** The page's code names no game, and its styles use only defined tokens. */

import { expect, test } from "vitest";

const sources = import.meta.glob<string>(
  ["./**/*.{ts,svelte}", "!./**/*.test.ts", "!./**/schema*"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);

const FORBIDDEN: [string, RegExp][] = [
  ["names a family", /street-stud|hi-lo|HiLo|StreetStud/],
  ["asks for a family by its name", /\.family\s*[=!]==?\s*["'`]/],
  [
    "cuts a play",
    /\bplays?(\[\w+\])?\)?\??\.(startsWith|endsWith|replace|charAt|slice|split|match)\b/,
  ],
  ["writes a query by hand", /["'`]\/api\/[^"'`\s]*\?/],
  ["knows a play's text", /\.play\s*[=!]==?\s*["'`]|\+double|["'`](low|high|fold)["'`]/],
];

test.each(FORBIDDEN)("nothing on the page %s: the house describes every game", (_, pattern) => {
  const offenders = Object.entries(sources).filter(([, text]) => pattern.test(text));
  expect(offenders.map(([name]) => name)).toEqual([]);
});

test("what is forbidden would be found", () => {
  const old = [
    'sheet.family === "hi-lo"',
    'sheet.family === "red-dog"',
    'seat.plays?.[0]?.startsWith("low"); plays[0].startsWith("x"); choice.play.endsWith("+double")',
    "get(`/api/drills?sheet=${sheet}`)",
    'choice.play === "fold"',
  ];
  FORBIDDEN.forEach(([, pattern], n) => expect(old[n]).toMatch(pattern));
  expect(Object.keys(sources)).not.toEqual([]);
});

const styles = import.meta.glob<string>("./*.css", {
  query: "?raw",
  import: "default",
  eager: true,
});

test("what a style asks for by its name is there: a color, a size, a face", () => {
  const texts = Object.entries({ ...sources, ...styles });
  const set = new Set(
    texts.flatMap(([, text]) =>
      [...text.matchAll(/(--[\w-]+)["'`]?\s*[:=,]/g)].map(([, name]) => name),
    ),
  );
  const missing = texts.flatMap(([name, text]) =>
    [...text.matchAll(/var\((--[\w-]+)\)/g)]
      .map(([, name]) => name)
      .filter((property) => !set.has(property))
      .map((property) => `${name}: ${property}`),
  );
  expect(missing).toEqual([]);
});
