/** Search and CSV export of lists; no exported cell can run as a formula. */

import { expect, test } from "vitest";

import { csv, matchesSearch } from "./csv";
// The same cells as in the server's export tests.
import hostile from "./hostile.cells.json";

/** The only cell of a file, without its CSV quotes. */
const only = (file: string) =>
  file
    .replace(/\r\n$/, "")
    .replace(/^"([^]*)"$/, (_, inner: string) => inner.replaceAll('""', '"'));

test.each(hostile.formulas)(
  "%j starts with an apostrophe, so that no spreadsheet runs it",
  (text) => {
    expect(only(csv([[text]]))).toBe(`'${text}`);
  },
);

test.each([...hostile.texts.filter((text) => text !== '"x"'), -3, -0.5])(
  "%j stays as it is",
  (text) => {
    expect(only(csv([[text]]))).toBe(String(text));
  },
);

test("cells are handed out by this file alone", () => {
  const sources = import.meta.glob<string>(["../**/*.ts", "../**/*.svelte", "!../**/*.test.ts"], {
    eager: true,
    query: "?raw",
    import: "default",
  });
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  const writers = Object.entries(sources).filter(([, source]) =>
    /new Blob\(|type: "text\/csv"|data:text\/csv/.test(source),
  );
  expect(writers.map(([name]) => name)).toEqual(["./csv.ts"]);
});

test("a list is a file that no spreadsheet works out", () => {
  const rows = [
    ["who", "off"],
    ['ann "a", b', "-5.00"],
    ["=1+1", null],
    ["-x\n", 3],
    [' "@A1', "\t1"],
    ["-5%", "+1.5"],
  ];
  expect(csv(rows)).toBe(
    'who,off\r\n"ann ""a"", b",-5.00\r\n\'=1+1,\r\n"\'-x\n",3\r\n"\' ""@A1",\'\t1\r\n-5%,+1.5\r\n',
  );
});

test("a text is found however it is written", () => {
  expect(matchesSearch(" ANN ", ["bob", "Joanne"])).toBe(true);
  expect(matchesSearch("zoe", ["bob", null, 3])).toBe(false);
  expect(matchesSearch("", [])).toBe(true);
});
