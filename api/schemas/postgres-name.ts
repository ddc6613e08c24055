import { z } from "zod";

import { isAddressable, notAddressable } from "./wire";

/** Postgres truncates longer names, so the platform rejects them. In UTF-8. */
const maxBytes = 63;

/** The name of a role or database. Apart from these limits, it may contain any character. */
export const postgresName = z
  .string()
  .min(1)
  .refine((name) => !name.includes("\0"), "must not contain a NUL character")
  .refine((name) => !/\p{Surrogate}/u.test(name), "must be well-formed Unicode")
  .refine(
    (name) => new TextEncoder().encode(name).length <= maxBytes,
    `must be at most ${maxBytes} bytes long in UTF-8`,
  );

/** A name that requests can address, too. */
export const addressableName = postgresName.refine(isAddressable, notAddressable);
