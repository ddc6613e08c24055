import assert from "node:assert/strict";

import type { Answer } from "../../../tests/support/platform";

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

/** The body of a response whose members are not those of {@link Answer.body}; cast it to its published type. */
export const bodyOf = ({ body }: Answer): unknown => body;

/** The actions of the operations in a response, in their order. */
export const actionsOf = ({ body }: Answer): string[] => body.operations.map(({ action }) => action);

export const idsOf = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

export const namesOf = (items: readonly { readonly name: string }[]): string[] => items.map(({ name }) => name);
