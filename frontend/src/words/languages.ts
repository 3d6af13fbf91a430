/** Available languages, by their own names. */

export const LANGUAGES = { en: "English", es: "Español" } as const;

export type Language = keyof typeof LANGUAGES;

export const ENGLISH: Language = "en";

export const isLanguage = (code: unknown): code is Language =>
  typeof code === "string" && Object.hasOwn(LANGUAGES, code);

/** The first language: the user's choice, or the browser's most preferred available one. */
export function preferredLanguage(chosen: unknown, browsers: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  const codes = browsers.map((code) => code.toLowerCase().split("-")[0]);
  return codes.find(isLanguage) ?? ENGLISH;
}
