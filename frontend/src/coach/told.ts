/** What the coach tells: exact sums with words for people, decisions, and how practice went. */

import type { Sum } from "../api/types";

/** Whether a sum is more than nothing, be it less than a cent. */
export const isSome = ({ exact }: Sum): boolean => exact !== "0";

export interface Filters {
  sheet: string;
  street: string;
  mistakes: boolean;
  min_cost: string;
  advised: "" | "true" | "false";
  arranged: "" | "true" | "false";
}

export const NO_FILTERS: Filters = {
  sheet: "",
  street: "",
  mistakes: false,
  min_cost: "",
  advised: "",
  arranged: "",
};

/** Whether anything is left out. */
export const isFiltered = (filters: Filters): boolean => query(filters) !== "";

/** The query of some filters; what is not asked for is left out. */
export function query(filters: Filters, more: Record<string, string> = {}): string {
  const asked = Object.entries({ ...filters, ...more })
    .filter(([, value]) => value !== "" && value !== false)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(asked).toString();
}
