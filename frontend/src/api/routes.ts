/** Types of the server's routes, queries and answers, derived from its OpenAPI description. */

import type { paths } from "./schema";

type Method = "get" | "post" | "patch";
type Parameters<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends { responses: object } ? Path : never;
}[keyof paths];

/** "/api/tables/{table}" with a name in place of the braces. A sheet id fills two of them. */
type Filled<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After extends `/{${string}}${infer Rest}` ? Rest : After>}`
  : Path;

/** An address that accepts a method. */
export type Address<M extends Method> = { [Path in Parameters<M>]: Filled<Path> }[Parameters<M>];

/** Addresses of GET routes without a required query. */
export type Plain = {
  [Path in Parameters<"get">]: paths[Path]["get"] extends { parameters: { query: object } }
    ? never
    : Filled<Path>;
}[Parameters<"get">];

type Fitting<M extends Method, At extends string> = {
  [Path in Parameters<M>]: At extends Filled<Path> ? Path : never;
}[Parameters<M>];
/** The most specific route that fits: "/api/tables/{table}/sheet", not "/api/tables/{table}". */
type Closest<Paths extends keyof paths, Of extends keyof paths = Paths> = Of extends Of
  ? [Narrower<Exclude<Paths, Of>, Of>] extends [never]
    ? Of
    : never
  : never;
type Narrower<Others extends keyof paths, Than extends keyof paths> = Others extends Others
  ? Filled<Others> extends Filled<Than>
    ? Others
    : never
  : never;
type Route<M extends Method, At extends string> = paths[Closest<Fitting<M, At>>][M];

type Content<Of> = Of extends { content: { "application/json": infer Json } } ? Json : undefined;
type Success = 200 | 201 | 202 | 204;

export type Answer<M extends Method, At extends string> =
  Route<M, At> extends { responses: infer Responses }
    ? Content<Responses[keyof Responses & Success]>
    : never;

export type Body<M extends Method, At extends string> =
  Route<M, At> extends { requestBody: infer Json } ? Content<Json> : OptionalBody<Route<M, At>>;
type OptionalBody<Of> = Of extends { requestBody?: infer Json }
  ? [NonNullable<Json>] extends [never]
    ? Record<string, never>
    : Content<NonNullable<Json>>
  : never;

/** The body without its request id. `never` if the route takes no id or answers with another type. */
export type BodyOnce<At extends string, Json> =
  Answer<"post", At> extends Json
    ? Body<"post", At> extends { request?: string | null }
      ? Omit<Body<"post", At>, "request">
      : never
    : never;

/** The query of an address. Optional parameters may be blank. */
export type Query<At extends string> =
  Route<"get", At> extends { parameters: { query?: infer Parameters } }
    ? [NonNullable<Parameters>] extends [never]
      ? never
      : OrBlank<NonNullable<Parameters>>
    : never;
type OrBlank<Parameters> = {
  [Name in keyof Parameters]: undefined extends Parameters[Name]
    ? Parameters[Name] | ""
    : Parameters[Name];
};
