import assert from "node:assert/strict";
import { inspect, isDeepStrictEqual } from "node:util";

import type { Answer } from "../../support/platform";

/** Asserts that a request failed with this status, message and code. */
export function assertError(
  { status, body }: Pick<Answer, "status"> & { readonly body: { readonly message: string; readonly code: string } },
  expectedStatus: number,
  expectedMessage: RegExp,
  expectedCode = "",
  context = "",
): void {
  assert.equal(status, expectedStatus, `${context} ${JSON.stringify(body)}`);
  assert.match(body.message, expectedMessage, context);
  assert.equal(body.code, expectedCode, context);
}

/** Asserts that members of an object have these values. A failure names the object, and each member that differs. */
export function assertMembers<Shape extends object>(
  object: Shape | undefined,
  expected: Readonly<Partial<Record<keyof Shape, unknown>>>,
): void {
  const { id, name } = (object ?? {}) as { readonly id?: string | number; readonly name?: string };
  const found = (member: string): unknown => object?.[member as keyof Shape];
  const differences = Object.entries(expected)
    .filter(([member, value]) => !isDeepStrictEqual(found(member), value))
    .map(([member, value]) => `${member} is ${inspect(found(member))}, expected ${inspect(value)}`);
  assert.equal(differences.length, 0, `${id ?? name ?? "the object"}: ${differences.join("; ")}`);
}

/** The body of a response whose members are not those of {@link Answer.body}; cast it to its published type. */
export const bodyOf = ({ body }: Answer): unknown => body;

/** The actions of the operations in a response, in their order. */
export const actionsOf = ({ body }: Answer): string[] => body.operations.map(({ action }) => action);

export const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

export const namesOf = (items: readonly { readonly name: string }[]): string[] => items.map(({ name }) => name);

/** A member of each item. */
export const valuesOf = <Item, Name extends keyof Item>(
  items: readonly Item[] | undefined,
  name: Name,
): Item[Name][] | undefined => items?.map((item) => item[name]);

/** These members of each item. */
export const rowsOf = <Item, Name extends keyof Item>(
  items: readonly Item[],
  ...names: readonly Name[]
): Item[Name][][] => items.map((item) => names.map((name) => item[name]));

/** All pages of a list; each is requested with a part of a query, which is empty for the first one. */
export async function pagesOf<Page>(
  get: (cursor: string) => Promise<Page>,
  next: (page: Page) => string | undefined,
): Promise<Page[]> {
  const pages = [await get("")];
  for (;;) {
    const cursor = next(pages.at(-1) as Page);
    if (cursor === undefined) return pages;
    pages.push(await get(`&cursor=${encodeURIComponent(cursor)}`));
  }
}
