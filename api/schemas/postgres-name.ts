import { z } from "zod";

import { isAddressable, notAddressable } from "./wire";

/** Postgres cuts longer names off, so the platform refuses them. Counted in UTF-8. */
const mostBytes = 63;

/** A name that Postgres can give a role or a database. Apart from these limits it may hold any character. */
export const postgresName = z
  .string()
  .min(1)
  .refine((name) => !name.includes("\0"), "must not contain a NUL character")
  .refine((name) => !/\p{Surrogate}/u.test(name), "must be well-formed Unicode")
  .refine(
    (name) => new TextEncoder().encode(name).length <= mostBytes,
    `must be at most ${mostBytes} bytes long in UTF-8`,
  );

/** A name that can stand in the path of a request, too. */
export const addressableName = postgresName.refine(isAddressable, notAddressable);
