import { z } from "zod";

import { objectId } from "../../../api/schemas/wire";

/** Takes over an object instead of making one: that of this id, or with `true` that of the same name. */
export const adopt = z.union([z.boolean(), objectId], { error: "must be an id, or true or false" });
