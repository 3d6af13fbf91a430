/** Clause numbers are split from sentences, and list the rules that rest on them. */

import type { Sheet } from "../api/types";
import { expect, test } from "vitest";

import sheet from "../live/views/stud.sheet.json";
import { sheetName } from "../words/sheets";
import { splitClauses, rulesOf } from "./clauses";

test("the clauses of a sentence stand apart from its words", () => {
  expect(splitClauses("No cards are sold (OMS-12); see GEN-4.")).toEqual([
    { text: "No cards are sold (", clause: false },
    { text: "OMS-12", clause: true },
    { text: "); see ", clause: false },
    { text: "GEN-4", clause: true },
    { text: ".", clause: false },
  ]);
  expect(splitClauses("as 643a.12 has it")[1]).toEqual({ text: "643a.12", clause: true });
  expect(splitClauses("")).toEqual([]);
  expect(splitClauses("A-1 and XGEN-2 are none")).toHaveLength(1);
});

test("a clause tells what the sheet made of it, with its mark and its note", () => {
  const rules = rulesOf(sheet as unknown as Sheet, "CMS-2");
  expect(rules.map((rule) => rule.ours)).toContain("Assumption: the source does not say this.");
  expect(rules.flatMap((rule) => rule.notes).join(" ")).toContain("names no limits");
});

test("a venue that the game is named after is said once", () => {
  expect(sheetName({ title: "Louisiana Stud", venue: "Louisiana Stud" })).toBe("Louisiana Stud");
  expect(sheetName({ title: "Stud", venue: "House" })).toBe("Stud, House");
});
