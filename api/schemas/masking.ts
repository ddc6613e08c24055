import { z } from "zod";

import { path, request } from "../core/request";
import { branchCreated, branchCreateBody } from "./branch";
import { timestamp } from "./wire";

/** A rule that replaces the values of a column with the result of a function or with a literal. */
export const maskingRule = z
  .object({
    database_name: z.string().min(1).describe("Name of the database."),
    schema_name: z.string().min(1).describe("Name of the schema."),
    table_name: z.string().min(1).describe("Name of the table."),
    column_name: z.string().min(1).describe("Name of the column."),
    masking_function: z
      .string()
      .min(1)
      .optional()
      .describe(
        "Masking function of PostgreSQL Anonymizer, such as `anon.fake_email()` or `anon.hash(email)`. Conflicts with `maskingValue`.",
      ),
    masking_value: z
      .string()
      .optional()
      .describe("Value that the column has in every row. Conflicts with `maskingFunction`."),
  })
  .refine(
    (rule) => (rule.masking_function === undefined) !== (rule.masking_value === undefined),
    "needs a function or a value, and not both",
  );
export type MaskingRule = z.infer<typeof maskingRule>;

/** The body that creates a masked branch. */
export const maskedBranchCreate = z.object({
  branch_create: branchCreateBody.omit({ annotation_value: true }).optional(),
  annotation_value: branchCreateBody.shape.annotation_value,
  masking_rules: z.array(maskingRule).optional(),
  /** Whether masking starts as soon as the data has been copied. */
  start_anonymization: z.boolean().optional(),
});
export type MaskedBranchCreate = z.infer<typeof maskedBranchCreate>;

/** The annotation of masked branches. */
export const maskedAnnotation = "anonymized";

/** The progress of masking a branch. */
const maskingStatus = z.looseObject({
  branch_id: z.string(),
  /** `created`, `initialized`, `initialization_error`, `anonymizing`, `anonymized` or `error`. */
  state: z.string(),
  status_message: z.string().optional(),
  updated_at: timestamp,
  last_run: z.looseObject({ started_at: timestamp.optional() }).optional(),
});
export type MaskingStatus = z.infer<typeof maskingStatus>;

/** The rules as the platform returns them. */
const maskingRules = z.looseObject({ masking_rules: z.array(z.looseObject(maskingRule.shape)) });

/** Requests for masked branches. */
export const masking = {
  create: (projectId: string, body: MaskedBranchCreate) =>
    request("POST", path`/projects/${projectId}/branch_anonymized`, branchCreated, { body }),
  rules: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/masking_rules`, maskingRules),
  setRules: (projectId: string, branchId: string, rules: readonly MaskingRule[]) =>
    request("PATCH", path`/projects/${projectId}/branches/${branchId}/masking_rules`, maskingRules, {
      body: { masking_rules: rules },
    }),
  status: (projectId: string, branchId: string) =>
    request("GET", path`/projects/${projectId}/branches/${branchId}/anonymized_status`, maskingStatus),
  start: (projectId: string, branchId: string) =>
    request("POST", path`/projects/${projectId}/branches/${branchId}/anonymize`, maskingStatus),
};
