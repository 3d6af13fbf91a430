/** Favorite bets, stored in this browser by sheet. */

export interface Favorite {
  name: string;
  wagers: [wager: string, amount: string][];
}

const KEY = "pitbook.favourites";
const FAVORITES_MAX = 6;

type All = Record<string, Favorite[]>;

function loadAll(): All {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as All;
  } catch {
    return {};
  }
}

export const loadFavorites = (sheet: string): Favorite[] => loadAll()[sheet] ?? [];

/** Add a favorite without duplicates and drop the oldest beyond the limit. */
export function keep(sheet: string, favorite: Favorite): Favorite[] {
  const others = loadFavorites(sheet).filter((other) => other.name !== favorite.name);
  const favorites = [...others, favorite].slice(-FAVORITES_MAX);
  localStorage.setItem(KEY, JSON.stringify({ ...loadAll(), [sheet]: favorites }));
  return favorites;
}

export function drop(sheet: string, name: string): Favorite[] {
  const remaining = loadFavorites(sheet).filter((favorite) => favorite.name !== name);
  localStorage.setItem(KEY, JSON.stringify({ ...loadAll(), [sheet]: remaining }));
  return remaining;
}
