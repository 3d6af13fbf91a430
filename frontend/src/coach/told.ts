/** What the coach tells: exact sums with words for people, decisions, and how practice went. */

import type { Sum } from "../api/types";

/** Whether a sum is more than nothing, be it less than a cent. */
export const isSome = ({ exact }: Sum): boolean => exact !== "0";

/** What a list of decisions can be asked for, each perhaps blank. */
export interface Filters {
  sheet: string;
  street: string;
  mistakes: boolean;
  min_cost: string;
  advised: boolean | "";
  arranged: boolean | "";
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
export const isFiltered = (filters: Filters): boolean =>
  Object.values({ ...filters, mistakes: filters.mistakes || "" }).some((value) => value !== "");
