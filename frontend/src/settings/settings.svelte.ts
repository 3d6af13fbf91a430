/** Display settings, stored in this browser. The server learns only the language. */

import { preferredLanguage, isLanguage, type Language } from "../words/languages";
import { setLanguage, currentLanguage } from "../words/say.svelte";

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

/** True if cards must not move, by the system's or the user's setting. */
export function isInstant(): boolean {
  return settings.motion === "instant" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Apply the chosen language, or else the browser's, if there is a catalog. */
export async function applyLanguage(): Promise<void> {
  const preferred = preferredLanguage(settings.language, navigator.languages);
  tellHouse(preferred); // Before any request depends on it.
  await setLanguage(preferred).catch(() => tellHouse(currentLanguage()));
}

/** Set the language cookie for requests, sockets and downloads. An automatic choice expires with the session. */
function tellHouse(language: Language): void {
  const cookieAge = isLanguage(settings.language) ? `; max-age=${YEAR}` : "";
  document.cookie = `pitbook-language=${language}; path=/; samesite=lax${cookieAge}`;
}

/** Store every change and update the attributes that style sheets use. */
export function keepSettings(): void {
  $effect(() => {
    void applyLanguage();
  });
  $effect(() => {
    document.documentElement.lang = currentLanguage();
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
