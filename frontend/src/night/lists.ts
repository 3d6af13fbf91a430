/** A list as spreadsheets save it: in UTF-8, with or without its mark, or as older ones do. */

const MARKED: Record<string, string> = { "255,254": "utf-16le", "254,255": "utf-16be" };

/** The text of a file. */
export function decodeText(bytes: ArrayBuffer): string {
  const marked = MARKED[new Uint8Array(bytes.slice(0, 2)).join()];
  if (marked) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes); // Of a spreadsheet that knows no other.
  }
}
