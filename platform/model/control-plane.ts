import type { Clock } from "../clock";
import type { Timestamps } from "../storage/timestamps";
import type { Faults } from "./faults";
import type { KeyUse } from "./key-use";
import type { OperationTime } from "./operation-time";
import type { Tables } from "./tables";

/** What the platform's objects are made with: its time, its memory, and what a test has ordered to go wrong. */
export interface ControlPlane {
  readonly clock: Clock;
  readonly stamps: Timestamps;
  readonly tables: Tables;
  readonly operationTime: OperationTime;
  readonly faults: Faults;
  readonly keyUse: KeyUse;
  /** Whether it starts operations by itself: availability checks, suspend after inactivity. */
  readonly background: boolean;
  /** Whether only so many computes of a project can be active at the same time. */
  readonly computeLimit: boolean;
}
