/** Glossary terms are found in a text, and no text is lost. */

import { expect, test } from "vitest";

import type { Term } from "../api/types";
import { markTerms } from "./markTerms";

const term = (name: string, forms: string): Term => ({
  term: name,
  word: name,
  forms,
  means: `what ${name} means`,
});
const TERMS = [
  term("push", "push|pushes"),
  term("flush", "flush"),
  term("straight-flush", "straight flush"),
  term("trio", "trío"),
];
const mark = (text: string) =>
  markTerms(text, TERMS)
    .filter((stretch) => stretch.term)
    .map((stretch) => [stretch.text, stretch.term?.term]);

test("the longest word is the one that is meant, each once", () => {
  expect(mark("A straight flush beats a flush; a flush pushes.")).toEqual([
    ["straight flush", "straight-flush"],
    ["flush", "flush"],
    ["pushes", "push"],
  ]);
});

test("a word within another is none, whatever its letters", () => {
  expect(mark("Flushed, unpushed, tríos; but: Trío.")).toEqual([["Trío", "trio"]]);
});

test("nothing of a text is lost", () => {
  for (const text of ["", "flush", "no such word", "a push, a flush."]) {
    expect(
      markTerms(text, TERMS)
        .map((stretch) => stretch.text)
        .join(""),
    ).toBe(text);
  }
  expect(markTerms("a.b", [])).toEqual([{ text: "a.b", term: null }]);
});
