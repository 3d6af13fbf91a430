/** Decodes lists saved by spreadsheets: UTF-8 with or without a BOM, UTF-16, or Windows-1252. */

const MARKED: Record<string, string> = { "255,254": "utf-16le", "254,255": "utf-16be" };

export function decodeText(bytes: ArrayBuffer): string {
  const marked = MARKED[new Uint8Array(bytes.slice(0, 2)).join()];
  if (marked) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes); // Older spreadsheets save Windows-1252.
  }
}
