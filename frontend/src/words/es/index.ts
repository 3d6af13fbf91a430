/** Everything that the page says in Spanish, as casinos of Latin America say it. */

import type { Files } from "../catalogue";

export default import.meta.glob("./*.json", { eager: true, import: "default" }) as Files;
