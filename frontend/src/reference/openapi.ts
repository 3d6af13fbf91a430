/** Reads the OpenAPI description for the API reference: sections, routes, roles and example bodies. */

/** The subset of OpenAPI that the page shows. */
export interface Document {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

export interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: BodyDescription;
  responses?: Record<string, BodyDescription>;
  /** Allowed roles; "stranger" means not signed in. */
  "x-for"?: string[];
}

interface BodyDescription {
  content?: Record<string, { example?: unknown; schema?: Schema }>;
}

interface Schema {
  $ref?: string;
  type?: string;
  examples?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  default?: unknown;
  const?: unknown;
}

export interface RouteDescription {
  method: string;
  path: string;
  operation: Operation;
}

/** Order of the sections, most useful to a newcomer first. Unlisted tags come last. */
export const PARTS = [
  "tables",
  "history",
  "coach",
  "train",
  "sheets",
  "papers",
  "mathematics",
  "people",
  "pit",
  "inspect",
  "cage",
  "nights",
  "running",
] as const;

const METHODS = ["get", "post", "put", "patch", "delete"];
const DEPTH_MAX = 5;
const JSON_TYPE = "application/json";

/** Routes grouped by section, in the order of the sections. */
export function partsOf(document: Document): [string, RouteDescription[]][] {
  const parts = new Map<string, RouteDescription[]>(PARTS.map((tag) => [tag, []]));
  for (const [path, methods] of Object.entries(document.paths))
    for (const method of METHODS) {
      const operation = methods[method];
      if (!operation) continue;
      const tag = operation.tags?.[0] ?? "more";
      parts.set(tag, [...(parts.get(tag) ?? []), { method, path, operation }]);
    }
  return [...parts].filter(([, routes]) => routes.length > 0);
}

/** Who may call a route. */
export function allowedRoles({ operation }: RouteDescription): "anybody" | "signed-in" | string[] {
  const roles = operation["x-for"] ?? [];
  if (roles.includes("stranger")) return "anybody";
  return roles.includes("guest") ? "signed-in" : roles;
}

export const queryOf = ({ operation }: RouteDescription): string[] =>
  (operation.parameters ?? [])
    .filter((parameter) => parameter.in === "query")
    .map((parameter) => parameter.name);

/** An example body of a route, built from its fields' examples. */
export const bodyExample = (document: Document, { operation }: RouteDescription): unknown =>
  example(document, operation.requestBody);

/** An example of a successful answer. */
export const answerExample = (document: Document, { operation }: RouteDescription): unknown =>
  example(document, operation.responses?.["200"] ?? operation.responses?.["201"]);

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

function example(document: Document, body: BodyDescription | undefined): unknown {
  const content = body?.content?.[JSON_TYPE];
  if (content && "example" in content) return content.example;
  const { schema } = content ?? {};
  return schema && Object.keys(schema).length > 0 ? ofSchema(document, schema, 0) : undefined;
}

function ofSchema(document: Document, schemaNode: Schema, depth: number): unknown {
  const schema = resolveRef(document, schemaNode);
  if (schema.examples?.length) return schema.examples[0];
  if (schema.type === "array") return [ofSchema(document, schema.items ?? {}, depth + 1)];
  if (depth > DEPTH_MAX || !schema.properties)
    return schema.default ?? schema.const ?? schema.type ?? null;
  const fields = Object.entries(schema.properties);
  return Object.fromEntries(
    fields.map(([name, schema]) => [name, ofSchema(document, schema, depth + 1)]),
  );
}

const resolveRef = (document: Document, schema: Schema): Schema =>
  schema.$ref
    ? (document.components?.schemas?.[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)] ?? {})
    : schema;
