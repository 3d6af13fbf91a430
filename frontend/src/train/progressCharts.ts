/** Coordinates of small training charts. */

export interface Dot {
  x: number;
  y: number;
}

/** The points of some values from left to right. Missing values have no point. */
export function dots(values: readonly (number | null)[], most: number, box: Dot): Dot[] {
  const step = values.length > 1 ? box.x / (values.length - 1) : 0;
  const first = values.length > 1 ? 0 : box.x / 2;
  return values.flatMap((value, n) =>
    value === null ? [] : [{ x: first + n * step, y: box.y - (box.y * value) / (most || 1) }],
  );
}

export const path = (places: readonly Dot[]): string =>
  places.map(({ x, y }, n) => `${n ? "L" : "M"}${round(x)} ${round(y)}`).join("");

const round = (value: number): number => Math.round(value * 10) / 10;

export const share = (right: number, total: number): number => (total ? right / total : 0);
export const percent = (right: number, total: number): number =>
  Math.round(100 * share(right, total));

export interface Day {
  day: string;
  asked: number;
}

/** The last weeks as columns of seven days, Monday first, with the number of questions on each day. */
export function calendar(days: readonly Day[], today: Date, weeks: number): Day[][] {
  const totals = new Map(days.map((day) => [day.day, day.asked]));
  const monday = new Date(today);
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7) - 7 * (weeks - 1));
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => {
      const date = new Date(monday);
      date.setUTCDate(date.getUTCDate() + 7 * week + day);
      const name = date.toISOString().slice(0, 10);
      return { day: name, asked: totals.get(name) ?? 0 };
    }),
  );
}
