import { z } from "zod";

import { badRequest } from "../http-error";
import type { LocalPaths } from "../http/local-route";
import { validate } from "../model/routing/validation";
import { operationTimeTopic } from "../model/operations/operation-time";

const input = z.strictObject({ operation_time: z.string().min(1).max(1_000) });

/** The times that operations take from now on. */
export const operationTimePaths: LocalPaths = {
  "/local/operation_time": {
    GET: {
      handle: ({ controlPlane: { operationTimes } }) => ({ operation_time: operationTimes.specification }),
    },
    PUT: {
      handle: ({ controlPlane: { operationTimes }, body, publish }) => {
        try {
          operationTimes.change(validate(input, body, "body").operation_time);
        } catch (error) {
          if (error instanceof RangeError) throw badRequest(error.message);
          throw error;
        }
        publish(operationTimeTopic);
        return { operation_time: operationTimes.specification };
      },
    },
  },
};
