/** The API reference: order of the sections, roles, and finite examples. */

import { expect, test } from "vitest";

import {
  allowedRoles,
  type Document,
  answerExample,
  partsOf,
  queryOf,
  type RouteDescription,
  bodyExample,
} from "./openapi";
import frames from "./frames.json";

const Named = {
  type: "object",
  properties: {
    name: { type: "string", examples: ["ann"] },
    seats: { type: "array", items: { $ref: "#/components/schemas/Seat" } },
    more: { default: false },
    deep: { $ref: "#/components/schemas/Named" },
  },
};
const document: Document = {
  info: { title: "Pitbook", version: "1" },
  paths: {
    "/api/people": {
      get: {
        tags: ["people"],
        parameters: [
          { name: "count", in: "query" },
          { name: "token", in: "path" },
        ],
        responses: { "200": { content: { "application/json": { example: { people: [] } } } } },
        "x-for": ["supervisor"],
      },
      post: {
        tags: ["people"],
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Seat" } } },
        },
        responses: { "201": {}, "404": {} },
      },
    },
    "/api/tables": { get: { tags: ["tables"], "x-for": ["guest", "player"] } },
    "/api/odd": { get: { "x-for": ["guest", "stranger"] } },
  },
  components: { schemas: { Named, Seat: { properties: { seat: { const: 3 }, odd: {} } } } },
};

const route = (path: string, method = "get"): RouteDescription => ({
  method,
  path,
  operation: document.paths[path]?.[method] ?? {},
});

test("parts stand in their order, and what belongs to none comes last", () => {
  const parts = partsOf(document).map(([tag, routes]) => [tag, routes.length]);
  expect(parts).toEqual([
    ["tables", 1],
    ["people", 2],
    ["more", 1],
  ]);
});

test("who may ask", () => {
  const paths = ["/api/odd", "/api/tables", "/api/people"];
  expect(paths.map((path) => allowedRoles(route(path)))).toEqual([
    "anybody",
    "signed-in",
    ["supervisor"],
  ]);
  expect(allowedRoles(route("/api/people", "post"))).toEqual([]);
});

test("examples come from the answer, else from its fields", () => {
  expect(answerExample(document, route("/api/people"))).toEqual({ people: [] });
  expect(bodyExample(document, route("/api/people", "post"))).toEqual({ seat: 3, odd: null });
  expect(bodyExample(document, route("/api/people"))).toBeUndefined();
  expect(answerExample(document, route("/api/people", "post"))).toBeUndefined();
  expect(queryOf(route("/api/people"))).toEqual(["count"]);
});

test("a model that holds itself ends somewhere", () => {
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Named" } } };
  const example = bodyExample(document, {
    ...route("/api/odd"),
    operation: { requestBody: { content } },
  });
  expect(example).toMatchObject({
    name: "ann",
    seats: [{ seat: 3, odd: null }],
    more: false,
    deep: { deep: { deep: { deep: { deep: { deep: "object" } } } } },
  });
});

test("each frame is told of once", () => {
  expect(new Set(frames.map((frame) => frame.about)).size).toBe(frames.length);
});
