/** How one person wants the page: kept in this browser, never sent anywhere. */

export interface Settings {
  theme: "auto" | "light" | "dark";
  deck: "two" | "four";
  faces: "pips" | "large";
  motion: "dealt" | "instant";
  sound: boolean;
  text: boolean;
  clauses: boolean;
}

const KEY = "pitbook.settings";
const PLAIN: Settings = {
  theme: "auto",
  deck: "two",
  faces: "pips",
  motion: "dealt",
  sound: false,
  text: false,
  clauses: false,
};

export const settings: Settings = $state({ ...PLAIN, ...kept() });

/** Whether cards may move: not where the system or the person asks for none. */
export function isInstant(): boolean {
  return settings.motion === "instant" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Keep every change, and tell the style sheet. */
export function keepSettings(): void {
  $effect(() => {
    localStorage.setItem(KEY, JSON.stringify(settings));
    const { dataset } = document.documentElement;
    dataset.theme = settings.theme;
    dataset.deck = settings.deck;
    dataset.motion = settings.motion;
  });
}

function kept(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
  } catch {
    return {};
  }
}
