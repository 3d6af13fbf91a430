/** Proofs of whole shoes: any other card, seed or commitment is reported. */

import { expect, test } from "vitest";

import { ascii, commitment, type SeededShoe } from "./deal";
import { type SeedProof as Proof, verify } from "./verify";

// Proofs made by `pitbook.shoe.proof.revealed`: the same seeds must give the same cards here.
const proofs = import.meta.glob<Proof>("./proofs/*.json", { eager: true, import: "default" });
const loadProof = (name: string): Proof =>
  structuredClone(proofs[`./proofs/${name}.json`]) as Proof;

test("there are documents of every kind of shoe that can be dealt again", () => {
  const kinds = new Set(Object.values(proofs).map((proof) => proof.shoe.kind));
  expect(kinds).toEqual(new Set(["committed", "arranged", "seeded"]));
  expect(Object.values(proofs).some((proof) => proof.drawn > 0)).toBe(true);
  expect(Object.values(proofs).some((proof) => Object.keys(proof.shoe.seat_seeds).length > 1)).toBe(
    true,
  );
});

test.each(Object.entries(proofs))("%s: the page deals what Python dealt", (_, proof) => {
  const verdict = verify(proof);
  expect(verdict.differences).toEqual([]);
  expect(verdict.committed).toBe(proof.shoe.commitment === null ? null : true);
  expect(verdict.agrees).toBe(true);
  const turned = proof.round.actions.filter((action) => action.do === "turn").length;
  expect(verdict.places.flatMap((place) => place.turned)).toHaveLength(turned);
});

test("a card that was exchanged is named with its place, number and what the shoe deals", () => {
  const proof = loadProof("stud");
  const turn = proof.round.actions.find((action) => action.do === "turn" && action.place === 1);
  const right = turn?.card ?? "";
  if (turn) turn.card = right === "As" ? "Ks" : "As";
  expect(verify(proof).differences).toEqual([
    { place: 1, number: 1, recorded: turn?.card, dealt: right },
  ]);
});

test("another seed has another hash and deals other cards", () => {
  const proof = loadProof("stud");
  proof.shoe.seed = "00".repeat(32);
  const verdict = verify(proof);
  expect(verdict.committed).toBe(false);
  expect(verdict.agrees).toBe(false);
});

test("a seat's seed that is left out changes the cards, not the commitment", () => {
  const proof = loadProof("hi-lo-with-seat-seeds");
  proof.shoe.seat_seeds = {};
  const verdict = verify(proof);
  expect(verdict.committed).toBe(true);
  expect(verdict.agrees).toBe(false);
});

test("chosen cards belong to the commitment of an arranged shoe", () => {
  const proof = loadProof("arranged");
  proof.shoe.chosen?.reverse();
  expect(commitment(proof.shoe as SeededShoe)).not.toBe(proof.shoe.commitment);
});

test("a seed that is not told yet is a sentence, not a verdict", () => {
  const proof = loadProof("stud");
  proof.shoe.seed = null;
  expect(() => verify(proof)).toThrow("The seed is not revealed until the shoe ends");
});

test("seeds are written as Python's json writes them", () => {
  expect(ascii([[1, 'é "😀"\u007f']])).toBe('[[1,"\\u00e9 \\"\\ud83d\\ude00\\"\\u007f"]]');
});
