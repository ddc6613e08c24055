import type { Clock } from "../clock";
import type { Timestamps } from "../storage/timestamps";
import type { Databases } from "./databases";
import type { Objects } from "./objects";
import type { Plan } from "./accounts/limits";
import type { BranchLogs } from "./branches/branch-logs";
import type { KeyUsage } from "./accounts/key-usage";
import type { Faults } from "./operations/faults";
import type { OperationTimes } from "./operations/operation-time";
import type { Tables } from "./tables";

/** The services and options that every function of the model uses. */
export interface ControlPlane {
  readonly clock: Clock;
  readonly timestamps: Timestamps;
  readonly tables: Tables;
  readonly operationTimes: OperationTimes;
  readonly faults: Faults;
  readonly keyUsage: KeyUsage;
  readonly logs: BranchLogs;
  /** The Postgres behind the control plane; undefined if databases are rows only. */
  readonly databases: Databases | undefined;
  readonly objects: Objects;
  /** Returns a secret for one purpose. It is the same as long as the data exists. */
  readonly secretFor: (purpose: string) => string;
  /** Whether the platform checks availability and suspends inactive computes. */
  readonly background: boolean;
  /** Whether projects belong to organizations only, as in new accounts. */
  readonly organizationAccounts: boolean;
  /** Whether the URL of a key set must serve one. */
  readonly verifyJwks: boolean;
  /** The plan of users, and of organizations that are created without one. */
  readonly plan: Plan;
  /** Whether the number of active computes per project is limited. */
  readonly computeLimit: boolean;
}
