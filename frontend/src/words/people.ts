/** Display names. Guests have a meaningless number for a name. */

import { say } from "./say.svelte";

const GUEST = /^guest-[0-9a-f]{8,}$/;

/** "ann", or "a guest". */
export const displayName = (name: string): string => (GUEST.test(name) ? say("words.guest") : name);
