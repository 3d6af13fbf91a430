/** Sort orders of a class: by name, or by need for training. */

import type { ClassProgress } from "../api/types";
import { share } from "./progressCharts";

type Stands = ClassProgress["people"][number];

export const ORDERS = ["name", "right", "speed", "last", "tests"] as const;
export type Order = (typeof ORDERS)[number];

const NEED: Record<Exclude<Order, "name">, (person: Stands) => number | string> = {
  right: (person) => (person.all.asked ? share(person.all.right, person.all.asked) : -1),
  speed: (person) => person.all.hands_an_hour ?? -1,
  last: (person) => person.last ?? "",
  tests: (person) => person.results.filter(({ passed }) => passed).length,
};

/** The people in an order, ties by name. */
export function sortPeople(people: readonly Stands[], order: Order): Stands[] {
  const named = [...people].sort((a, b) => a.name.localeCompare(b.name));
  if (order === "name") return named;
  const needOf = NEED[order];
  return named.sort((a, b) => (needOf(a) < needOf(b) ? -1 : needOf(a) > needOf(b) ? 1 : 0));
}
