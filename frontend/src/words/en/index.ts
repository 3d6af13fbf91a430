import type { Files } from "../catalog";

export default import.meta.glob("./*.json", { eager: true, import: "default" }) as Files;
