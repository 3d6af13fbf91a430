/** Where figures stand on a small chart. */

export interface Series {
  id: string;
  name: string;
  values: number[];
}

export const WIDTH = 600;
export const HEIGHT = 200;
const EDGE = 8;

/** The least and the most of some figures, with nothing among them; never of no height. */
export function bounds(all: readonly number[]): [number, number] {
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  return low === high ? [low - 1, high + 1] : [low, high];
}

/** Where a figure stands from above. */
export const y = (value: number, [low, high]: [number, number]): number =>
  EDGE + ((high - value) / (high - low)) * (HEIGHT - 2 * EDGE);

/** Where the n-th of some figures stands from the left. */
export const x = (n: number, count: number): number => (count < 2 ? 0 : (n / (count - 1)) * WIDTH);

/** A line through some figures. */
export const line = (values: readonly number[], within: [number, number]): string =>
  values
    .map(
      (value, n) =>
        `${n ? "L" : "M"}${x(n, values.length).toFixed(1)} ${y(value, within).toFixed(1)}`,
    )
    .join("");

export interface Mark {
  value: number;
  text: string;
}

const APART = 0.12; // Of the height: closer marks would lie on each other.

/** The marks of an axis with how far from above they stand, from 0 to 1; who comes first stays. */
export function spread(
  marks: readonly Mark[],
  within: [number, number],
): (Mark & { at: number })[] {
  const placed: (Mark & { at: number })[] = [];
  for (const mark of marks) {
    const at = y(mark.value, within) / HEIGHT;
    if (placed.every((other) => Math.abs(other.at - at) >= APART)) placed.push({ ...mark, at });
  }
  return placed;
}

/** The area between two lines. */
export function band(
  lower: readonly number[],
  upper: readonly number[],
  within: [number, number],
): string {
  const back = [...lower.keys()]
    .reverse()
    .map((n) => `L${x(n, lower.length).toFixed(1)} ${y(lower[n] ?? 0, within).toFixed(1)}`);
  return `${line(upper, within)}${back.join("")}Z`;
}
