/** A list of players keeps its letters in any spreadsheet encoding. */

import { expect, test } from "vitest";

import { decodeText } from "./decodeText";

const LIST = "name\nJosé Núñez\n";
const bytes = (...each: number[]) => new Uint8Array(each).buffer;
const utf16 = (text: string) =>
  bytes(
    255,
    254,
    ...[...text].flatMap((char) => [char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8]),
  );

test("names keep their letters, however the spreadsheet saved them", () => {
  const latin = [...LIST].map((char) => char.charCodeAt(0));
  const saved = [
    new TextEncoder().encode(LIST).buffer as ArrayBuffer,
    bytes(...latin),
    utf16(LIST),
  ];
  expect(saved.map(decodeText)).toEqual([LIST, LIST, LIST]);
  expect(decodeText(new TextEncoder().encode("Жанна 王小明").buffer as ArrayBuffer)).toBe(
    "Жанна 王小明",
  );
});
