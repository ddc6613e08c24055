import { notFound, unprocessable } from "../http-error";
import type { LocalPaths } from "../http/local-route";
import { validate } from "../model/routing/validation";
import type { ControlPlane } from "../model/control-plane";
import { faultSchema } from "../model/operations/faults";
import { releaseHeldDeployments } from "../model/branches/function-deployment";
import { releaseHeldOperations } from "../model/operations/lifecycle";
import { wholeNumber } from "../published/values";

/** Faults are in memory, so their number is limited. */
const maxFaults = 500;

/**
 * Adds a fault.
 *
 * @throws HttpError 400 if it is invalid, 422 if too many are pending
 */
export function addFault({ faults }: ControlPlane, fault: unknown): void {
  if (faults.list().length >= maxFaults) throw unprocessable(`at most ${maxFaults} faults can be pending`);
  faults.add(validate(faultSchema, fault, "fault"));
}

/** Deletes all pending faults, and resumes the operations that they hold. */
export function clearFaults(controlPlane: ControlPlane): void {
  controlPlane.faults.clear();
  releaseHeldOperations(controlPlane);
  releaseHeldDeployments(controlPlane);
}

/** Scripted faults of requests and operations. */
export const faultPaths: LocalPaths = {
  "/local/faults": {
    POST: {
      status: 201,
      handle: ({ controlPlane, body }) => {
        addFault(controlPlane, body);
        return { faults: controlPlane.faults.list() };
      },
    },
    GET: { handle: ({ controlPlane: { faults } }) => ({ faults: faults.list() }) },
    DELETE: {
      handle: ({ controlPlane }) => {
        clearFaults(controlPlane);
        return undefined;
      },
    },
  },
  "/local/faults/:position": {
    DELETE: {
      handle: ({ controlPlane, parameter }) => {
        const position = validate(wholeNumber(0, maxFaults), parameter("position"), "position");
        if (!controlPlane.faults.remove(position)) throw notFound("fault");
        return undefined;
      },
    },
  },
};
