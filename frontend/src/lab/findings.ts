/** What the checks say, sorted: beside a field that is shown, or in the list below. */

import type { Tried } from "../api/types";

/** Findings that no field on the page could show beside itself. */
export function elsewhere(tried: Tried): Tried["findings"] {
  const fields = new Set([
    "ante",
    ...tried.caps.map((cap) => cap.field),
    ...tried.tables.flatMap((table) => table.lines.map((line) => line.field)),
  ]);
  return tried.findings.filter(
    (finding) => finding.level === "notice" || !fields.has(finding.field),
  );
}
