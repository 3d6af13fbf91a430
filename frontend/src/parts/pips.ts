/** The shapes on our cards: four suits in a box of 100 around the middle, and where pips stand. */

import type { Suit } from "../words/cards";

export const SHAPES: Record<Suit, string> = {
  h: "M0 44C-14 26-46 8-46-16C-46-34-33-43-21-43C-10-43-3-36 0-27C3-36 10-43 21-43C33-43 46-34 46-16C46 8 14 26 0 44Z",
  d: "M0-48C9-29 22-13 37 0C22 13 9 29 0 48C-9 29-22 13-37 0C-22-13-9-29 0-48Z",
  s: "M0-47C11-26 45-9 45 15C45 29 35 37 24 37C15 37 8 32 4 25C5 35 10 42 19 46L-19 46C-10 42-5 35-4 25C-8 32-15 37-24 37C-35 37-45 29-45 15C-45-9-11-26 0-47Z",
  c: "M0-46C12-46 22-36 22-24C22-18 19-12 15-8C18-10 22-11 25-11C37-11 46-1 46 11C46 24 37 33 25 33C16 33 8 28 4 20C5 33 10 42 19 46L-19 46C-10 42-5 33-4 20C-8 28-16 33-25 33C-37 33-46 24-46 11C-46-1-37-11-25-11C-22-11-18-10-15-8C-19-12-22-18-22-24C-22-36-12-46 0-46Z",
};

const L = 36;
const M = 50;
const R = 64;
const TOP = 28;
const END = 112;

type Spot = readonly [x: number, y: number];

/** Many pips are small ones. */
export const sizeOf = (rank: string): number => ("789T".includes(rank) ? 17 : 21);

const sides = (...heights: number[]): Spot[] =>
  heights.flatMap((y): Spot[] => [
    [L, y],
    [R, y],
  ]);
const middle = (...heights: number[]): Spot[] => heights.map((y): Spot => [M, y]);

/** Where the pips of a number card stand, on a card of 100 by 140. */
export const SPOTS: Record<string, Spot[]> = {
  "2": middle(TOP, END),
  "3": middle(TOP, 70, END),
  "4": sides(TOP, END),
  "5": [...sides(TOP, END), ...middle(70)],
  "6": sides(TOP, 70, END),
  "7": [...sides(TOP, 70, END), ...middle(49)],
  "8": [...sides(TOP, 70, END), ...middle(49, 91)],
  "9": [...sides(26, 55, 85, 114), ...middle(70)],
  T: [...sides(26, 54, 86, 114), ...middle(40, 100)],
};
