/** Filters and amounts of the coach's list of decisions. */

import type { Sum } from "../api/types";

/** True for any amount above zero, even less than a cent. */
export const isPositive = ({ exact }: Sum): boolean => exact !== "0";

/** Filters for the list of decisions. Each may be blank. */
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

export const isFiltered = (filters: Filters): boolean =>
  Object.values({ ...filters, mistakes: filters.mistakes || "" }).some((value) => value !== "");
