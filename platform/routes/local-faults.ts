import { unprocessable } from "../http-error";
import type { LocalPaths } from "../http/local-route";
import { validate } from "../http/validation";
import { faultSchema } from "../model/operations/faults";
import { releaseHeldOperations } from "../model/operations/lifecycle";

/** Faults are in memory, so their number is limited. */
const maxFaults = 500;

/** Scripted faults of requests and operations. */
export const faultPaths: LocalPaths = {
  "/local/faults": {
    POST: {
      status: 201,
      handle: ({ controlPlane: { faults }, body }) => {
        if (faults.list().length >= maxFaults) throw unprocessable(`at most ${maxFaults} faults can be pending`);
        faults.add(validate(faultSchema, body, "fault"));
        return { faults: faults.list() };
      },
    },
    GET: { handle: ({ controlPlane: { faults } }) => ({ faults: faults.list() }) },
    DELETE: {
      handle: ({ controlPlane }) => {
        controlPlane.faults.clear();
        releaseHeldOperations(controlPlane);
        return undefined;
      },
    },
  },
};
