/** Messages about a proof as a key and its fields, before translation. */

import { type Fields, type Plain, say } from "../words/say.svelte";

export interface CheckSaying {
  key: keyof Plain;
  fields: object;
}

export const saying = <Key extends keyof Plain>(
  key: Key,
  ...fields: Fields<Plain, Key>
): CheckSaying => ({ key, fields: fields[0] ?? {} });

export const checkText = ({ key, fields }: CheckSaying): string =>
  (say as (key: keyof Plain, fields: object) => string)(key, fields);
