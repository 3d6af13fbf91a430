/** How one person wants the page: kept in this browser; the language alone is told to the house. */

import { first, isLanguage, type Language } from "../words/languages";
import { speak, speaks } from "../words/say.svelte";

export interface Settings {
  language: Language | "auto";
  theme: "auto" | "light" | "dark";
  deck: "two" | "four";
  faces: "pips" | "large";
  motion: "dealt" | "instant";
  sound: boolean;
  text: boolean;
  clauses: boolean;
}

const KEY = "pitbook.settings";
const YEAR = 31_536_000;
const PLAIN: Settings = {
  language: "auto",
  theme: "auto",
  deck: "two",
  faces: "pips",
  motion: "dealt",
  sound: false,
  text: false,
  clauses: false,
};

export const settings: Settings = $state({ ...PLAIN, ...load() });

/** Whether cards may move: not where the system or the person asks for none. */
export function isInstant(): boolean {
  return settings.motion === "instant" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Speak as this person wants: as they chose, else as their browser does where we can. */
export async function applyLanguage(): Promise<void> {
  const wanted = first(settings.language, navigator.languages);
  tellHouse(wanted); // Before anything is asked for in it.
  await speak(wanted).catch(() => tellHouse(speaks()));
}

/** By a cookie, which goes along with questions, sockets and downloads; one that nobody chose ends with the visit. */
function tellHouse(language: Language): void {
  const cookieAge = isLanguage(settings.language) ? `; max-age=${YEAR}` : "";
  document.cookie = `pitbook-language=${language}; path=/; samesite=lax${cookieAge}`;
}

/** Keep every change, and tell the style sheet. */
export function keepSettings(): void {
  $effect(() => {
    void applyLanguage();
  });
  $effect(() => {
    document.documentElement.lang = speaks();
  });
  $effect(() => {
    localStorage.setItem(KEY, JSON.stringify(settings));
    const { dataset } = document.documentElement;
    dataset.theme = settings.theme;
    dataset.deck = settings.deck;
    dataset.motion = settings.motion;
  });
}

function load(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
}
