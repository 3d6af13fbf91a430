/** Guests have a number in place of a name, which tells nobody anything. */

import { say } from "./say.svelte";

const GUEST = /^guest-[0-9a-f]{8,}$/;

/** "ann", or "a guest". */
export const displayName = (name: string): string => (GUEST.test(name) ? say("words.guest") : name);
