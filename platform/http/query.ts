import { z } from "zod";

/** A whole number in a query string. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^-?\d{1,9}$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be between ${least} and ${most}`);

/** `true` or `false` in a query string. */
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
