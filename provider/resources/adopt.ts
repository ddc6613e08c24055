import { z } from "zod";

/** Takes over an object instead of making one: that of this id, or with `true` that of the same name. */
export const adopt = z.union([z.boolean(), z.string().min(1)], { error: "must be an id, or true or false" });
