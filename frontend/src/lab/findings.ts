/** Sorts findings: those shown beside a field, and those in the list below. */

import type { LabResult } from "../api/types";

/** Findings that have no field on the page. */
export function otherFindings(tried: LabResult): LabResult["findings"] {
  const fields = new Set([
    "ante",
    ...tried.caps.map((cap) => cap.field),
    ...tried.tables.flatMap((table) => table.lines.map((line) => line.field)),
  ]);
  return tried.findings.filter(
    (finding) => finding.level === "notice" || !fields.has(finding.field),
  );
}
