/** Messages about a proof as a key and its fields, before translation. */

import { type Fields, type Plain, say } from "../words/say.svelte";

export interface CheckMessage {
  key: keyof Plain;
  fields: object;
}

export const checkMessage = <Key extends keyof Plain>(
  key: Key,
  ...fields: Fields<Plain, Key>
): CheckMessage => ({ key, fields: fields[0] ?? {} });

export const checkText = ({ key, fields }: CheckMessage): string =>
  (say as (key: keyof Plain, fields: object) => string)(key, fields);
