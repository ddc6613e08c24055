/**
 * Neon's API without Pulumi: a client with authentication, retries, pagination and waiting for operations, and the
 * requests that it can send.
 *
 * @packageDocumentation
 */
export { publicApiUrl } from "./base-url";
export { NeonClient, type Attempt, type ClientOptions, type SendOptions } from "./client";
export { systemClock, type Clock } from "./core/clock";
export { Deadline } from "./core/deadline";
export { isNotFound, OutcomeUnknownError, NeonError, HttpError } from "./core/errors";
export { OperationFailedError, OperationTimeoutError } from "./operations/errors";
export { defaultOperationTimeout } from "./core/duration";
export type { ErrorKind } from "./core/error-kind";
export type { PageOptions } from "./http/pagination";
export type { Form, FormFile, Method, PagedRequest, Query, Request } from "./core/request";
export {
  isEnded,
  operationStatuses,
  progressOf,
  type OperationProgress,
  type OperationStatus,
} from "./operations/status";
export type { Transport, WireResponse, WireRequest } from "./http/transport";
export type { ServerClock } from "./server-clock";
export type { WaitOptions } from "./operations/waiter";

export { advisors, type AdvisorIssue } from "./schemas/advisor";
export { aiGateways } from "./schemas/ai-gateway";
export { apiKeys, organizationApiKeys, type ApiKey } from "./schemas/api-key";
export { backupSchedules, type Backup } from "./schemas/backup-schedule";
export { branches, type AnnotatedBranch, type Branch } from "./schemas/branch";
export {
  consumption,
  type BranchConsumption,
  type ConsumptionQuery,
  type ProjectConsumption,
} from "./schemas/consumption";
export { buckets, type Bucket } from "./schemas/bucket";
export { bucketObjects, type BucketObject, type BucketObjectQuery, type Presigned } from "./schemas/bucket-object";
export { connectionUris, type ConnectionUriQuery } from "./schemas/connection-uri";
export { credentials, type Credential } from "./schemas/credential";
export { customDomains, type CustomDomain } from "./schemas/custom-domain";
export { dataApis, type DataApi } from "./schemas/data-api";
export { databases, type Database } from "./schemas/database";
export { endpoints, type Endpoint } from "./schemas/endpoint";
export { functions, type BranchFunction, type DeploymentCreate, type FunctionDeployment } from "./schemas/function";
export { jwksUrls, type JwksUrl } from "./schemas/jwks-url";
export { logs, type LogQuery, type LogRecord } from "./schemas/log";
export { masking, type MaskingRule, type MaskingStatus } from "./schemas/masking";
export { neonAuths, type NeonAuth } from "./schemas/neon-auth";
export { oauthClients, type OauthClient } from "./schemas/neon-auth-oauth-client";
export { oauthProviders, type OauthProvider } from "./schemas/neon-auth-oauth-provider";
export { trustedDomains, type TrustedDomain } from "./schemas/neon-auth-trusted-domain";
export { operations, type Operation } from "./schemas/operation";
export { organizationInvitations, type OrganizationInvitation } from "./schemas/organization-invitation";
export { organizationMembers, type MemberWithUser, type OrganizationMember } from "./schemas/organization-member";
export { organizations, type Organization } from "./schemas/organization";
export { preloadLibraries } from "./schemas/preload-library";
export { projectMembers, type ProjectMember } from "./schemas/project-member";
export { permissions, type ProjectPermission } from "./schemas/project-permission";
export { projects, type Project } from "./schemas/project";
export { realtimes, type Realtime } from "./schemas/realtime";
export { regions, type Region } from "./schemas/region";
export { roles, type Role } from "./schemas/role";
export { snapshots, type Snapshot } from "./schemas/snapshot";
export { spendingLimits } from "./schemas/spending-limit";
export { transfers } from "./schemas/transfer";
export { triggers, type Trigger, type TriggerCreate } from "./schemas/trigger";
export { users, type User } from "./schemas/user";
export {
  vpcEndpointAssignments,
  vpcEndpointRestrictions,
  type VpcEndpoint,
  type VpcEndpointDetails,
} from "./schemas/vpc-endpoint";
