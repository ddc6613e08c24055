// What docs/messages.md says about each message. `npm run docs` puts every text of the code under the first topic that
// selects it, and fails if a text has no topic or a selector selects nothing.

/**
 * The texts of a source file, or of all files of a folder that ends with "/": all of them, or those that match a pattern.
 *
 * @typedef {string | readonly [from: string, pattern: RegExp]} Selector
 */

/**
 * Messages with one cause and one remedy.
 *
 * @typedef {object} Topic
 * @property {string} title
 * @property {string} cause Markdown.
 * @property {string} remedy Markdown.
 * @property {readonly Selector[]} from
 * @property {string} [printed] A whole message as Pulumi prints it.
 * @property {readonly string[]} [engine] What Pulumi itself says. `tests/programs/engine-messages.test.ts` provokes these texts.
 */

/** A change or an object as rows and messages name it: not a sentence, which needs a topic of its own. */
const phrase = /^(?=…|\(|\p{Ll}|API|Data API|JWKS|VPC|OAuth|Neon Auth)(?!.*\. |.*\.$)/u;

/** @type {readonly Topic[]} */
export const topics = [
  {
    title: "Pulumi cannot load the provider",
    cause:
      "Pulumi loads the provider from the program's own folder, also for `refresh` and `destroy`. The package is not installed there.",
    remedy:
      "Run `npm install` in the folder of `Pulumi.yaml`. If only a component library uses the package, run `npm install neon-pulumi` there.",
    from: ["sdk/installation.ts"],
    engine: [
      "Cannot find module 'neon-pulumi/provider/v1'",
      "Cannot find module '@pulumi/pulumi/cmd/dynamic-provider'",
      "could not load provider for resource",
    ],
  },
  {
    title: "`pulumi import` and the option `import`",
    cause: "Pulumi's dynamic providers do not support imports. The engine reports it with a text that does not say so.",
    remedy: "Declare [`adopt`](adopt.md) on the resource, or use the provider plugin.",
    from: [["sdk/resource.ts", /`import` is not supported/]],
    engine: ["Cannot read properties of undefined (reading 'toJavaScript')"],
  },
  {
    title: "The run was cancelled",
    cause:
      "Somebody pressed Ctrl-C while a resource was waiting. Pulumi has saved what had been created or changed by then.",
    remedy: "Run the same command again: it resumes from there.",
    from: [["provider/pulumi/plugin-provider.ts", /cancelled/]],
  },
  {
    title: "The plugin does not know a type or a function",
    cause: "The program, or the SDK that it uses, is of another version than the provider plugin.",
    remedy: "Use the SDK and the plugin of one release.",
    from: [
      ["provider/pulumi/plugin-provider.ts", /^(There is no|The provider was called)/],
      "provider/pulumi/plugin-resources.ts",
    ],
  },
  {
    title: "The stack is locked, or its file cannot be read",
    cause: "Another run of the stack is active, or a killed run left its lock or a half-written state file.",
    remedy:
      "See [The stack is locked, or its file is damaged](recovery.md#the-stack-is-locked-or-its-file-is-damaged).",
    from: [],
    engine: ["the stack is currently locked by", "failed to load checkpoint", "unexpected end of JSON input"],
  },
  {
    title: "Settings",
    cause: "A setting is missing, malformed or misspelled. The preview reports it, before any request is sent.",
    remedy:
      "Set it as the message says ([configuration](configuration.md)). `refresh` and `destroy` use the settings of the last `up`: after a change, run `pulumi up --refresh=false`.",
    from: [
      ["api/client-settings.ts", / is missing|contains whitespace|must be/],
      "sdk/account.ts",
      "sdk/config-warnings.ts",
      "sdk/provider.ts",
      "api/api-key.ts",
      "api/base-url.ts",
      ["api/client-settings.ts", /^(is|contains|must) /],
      "api/duration.ts",
      "provider/pulumi/configuration.ts",
      "provider/pulumi/user-messages.ts",
      ["api/remediation.ts", /^Set the organization/],
      ["provider/kind/inputs.ts", /^orgId is required/],
      ["provider/kind/input-problems.ts", /declare it, or set neon:orgId/],
    ],
  },
  {
    title: "The API key is refused (401, 403)",
    cause:
      "401: the key is missing, wrong or revoked. 403: the key is valid but may not do this. [production.md](production.md#api-keys) says what each type of key may manage.",
    remedy: "Use a key that may do it. After a change of the key, run `pulumi up --refresh=false`.",
    from: [
      "provider/call/api-key-check.ts",
      "api/key-source.ts",
      ["provider/pulumi/plugin-provider.ts", /^Resources and functions without/],
      ["api/remediation.ts", /^(The API key is invalid|This API key lacks)/],
      [
        "provider/resources/api-key.ts",
        /^Only a personal|was not created$|was not revoked$|^: the object|Use such a key/,
      ],
      ["provider/resources/api-key.ts", /who cannot see it|Use a personal API key of the owner/],
      ["api/lookups/api-key.ts", /^Only/],
      ["api/lookups/user.ts", /^An API key/],
    ],
  },
  {
    title: "Not found (404)",
    cause:
      "The object was deleted elsewhere, the id is wrong, or the key belongs to an account that cannot see the object. The provider counts an object as deleted only if the key can see its project, or sees it among the projects that were deleted in the last 7 days; otherwise the state stays as it is. A read by id (`get`) and an import fail if there is nothing to read. A project that was transferred to another account is not found either.",
    remedy:
      "Check the id. Use a key of the owner that the message names, or of the account to which the project was transferred. If the object was deleted elsewhere, run `pulumi refresh`; the next `pulumi up` creates another one.",
    from: [
      ["api/remediation.ts", /^The object does not exist/],
      "provider/ownership/visibility.ts",
      "provider/resources/organization.ts",
      [
        "provider/lifecycle/errors.ts",
        /no longer exists|missing object|cannot be found|then creates a new one|^There is no …, or|owns it\.$|^: the key belongs/,
      ],
      ["provider/resources/branch/change-compute.ts", /no longer exists|^Run `pulumi refresh`/],
    ],
  },
  {
    title: "The object already exists (409)",
    cause: "Neon has an object with this name or address: from another program, from a killed run, or from this stack.",
    remedy: "See [An object already exists](recovery.md#an-object-already-exists).",
    from: [
      ["api/remediation.ts", /^The (object already exists|request conflicts with another)/],
      [
        "provider/lifecycle/errors.ts",
        /already exists|^A … with this name|^This …$|^If no other stack|Otherwise declare|To keep it, …|retainOnDelete. has kept|Another (run|Pulumi resource) created|An interrupted run of this stack created it|^This stack sent a request|untaint|deleteBeforeReplace|aliases|^`adopt: …`$|then declare|`, then$/,
      ],
      ["provider/lifecycle/name-conflict.ts", /has the same name/],
      ["provider/resources/backup-schedule.ts", /already has/],
      ["provider/resources/branch/update.ts", /was not renamed|exchange names/],
      ["provider/resources/branch/change-compute.ts", /already has|If no other stack/],
      ["provider/resources/bucket.ts", /already has/],
      ["provider/resources/jwks-url.ts", /already has/],
      ["provider/resources/organization-member.ts", /already has|was not invited|is invited already/],
      ["provider/resources/project-member-role.ts", /already has/],
      ["provider/resources/neon-auth-oauth-provider.ts", /already has/],
      ["provider/resources/neon-auth-trusted-domain.ts", /already trusts/],
      ["provider/resources/project-permission.ts", /already grants/],
      ["provider/resources/spending-limit.ts", /already has/],
      ["provider/resources/vpc-endpoint-assignment.ts", /is already assigned/],
      ["provider/resources/vpc-endpoint-restriction.ts", /is already restricted/],
    ],
  },
  {
    title: "Two resources with one object",
    cause:
      "Two resources, or a resource and the part of another one, manage the same object. Or [a snapshot was restored](recovery.md#after-a-snapshot-was-restored-over-a-branch), which moves the compute to another branch.",
    remedy:
      "Declare the object in one place, and remove it from the other state with `pulumi state delete`. A read-write compute is either `compute` of its branch or an `Endpoint` ([resources](resources.md#branches)).",
    from: [
      ["provider/lifecycle/errors.ts", /declares a part that|is declared as a part|already managed by|^The …$/],
      ["provider/lifecycle/import.ts", /^Another Pulumi resource created/],
      ["provider/lifecycle/delete.ts", /also manages it|adopted it in this run|declares it as a part|but not deleted/],
      [
        "provider/resources/branch/change-compute.ts",
        /another stack manages it|has `retainOnDelete`|does not belong to branch|Run the same|If this change removes/,
      ],
      ["provider/resources/endpoint.ts", /pulumi state delete/],
      "provider/resources/compute/moved.ts",
    ],
  },
  {
    title: "An object of the same name",
    cause: "The object in the state was deleted, and somebody else created another one with its name.",
    remedy:
      "If no other stack manages the new object, run `pulumi refresh`, and then `pulumi up`. Otherwise declare another name.",
    from: ["provider/resources/namesake.ts"],
  },
  {
    title: "An API key of the same number",
    cause:
      "Each service numbers its API keys by itself, and `neon:apiUrl` now names another one, such as a local platform without `--data` that was restarted.",
    remedy: "Correct `neon:apiUrl`. If the service of the state no longer exists, run `pulumi state delete`.",
    from: [["provider/resources/api-key.ts", /of the same number|^Does `neon:apiUrl`/]],
  },
  {
    title: "The object cannot be adopted",
    cause:
      "`adopt` names an object that does not exist, whose creation failed, or that differs in a property that cannot be changed in place; or several objects fit.",
    remedy: "Declare the present values, or adopt by id ([adopt](adopt.md)).",
    from: [
      [
        "provider/lifecycle/errors.ts",
        /to adopt, or|cannot be adopted|^Delete it, then|would adopt|deletes it in this run/,
      ],
      "provider/lifecycle/adoption.ts",
      "provider/lifecycle/adoption-preview.ts",
      ["provider/kind/inputs.ts", /^must be an id, true|^There are|^Adopt one/],
      ["provider/resources/api-key.ts", /^must be the id|^API keys …$/],
      ["provider/resources/credential.ts", /^must be the id/],
      ["provider/resources/endpoint.ts", /^must be the id/],
      ["provider/resources/project.ts", /^projects named/],
      ["provider/resources/snapshot.ts", /^snapshots named/],
    ],
  },
  {
    title: "Invalid arguments",
    cause:
      "The preview validates all arguments, with the limits of Neon's documentation. For new and changed resources it also asks Neon, for example whether the region exists.",
    remedy: "Correct the property that the message names. The [reference](reference/README.md) lists types and limits.",
    from: [
      "api/schemas/backup-schedule.ts",
      "api/schemas/branch.ts",
      "api/schemas/data-api.ts",
      "api/schemas/https-url.ts",
      "api/schemas/neon-auth-trusted-domain.ts",
      "api/schemas/neon-auth-user.ts",
      "api/schemas/neon-auth.ts",
      "api/schemas/organization-invitation.ts",
      "api/schemas/postgres-name.ts",
      "api/schemas/project-permission.ts",
      "api/schemas/project-settings.ts",
      "api/schemas/role.ts",
      "api/schemas/wire.ts",
      "api/request.ts",
      "provider/kind/input-problems.ts",
      ["provider/kind/inputs.ts", /without its parents/],
      "provider/resources/region.ts",
      "api/schemas/masking.ts",
      ["provider/resources/branch/masking.ts", /^(can only be declared|needs a masking)/],
      [
        "provider/resources/branch/restore.ts",
        /exclude each other|changed in the same update|a protected branch cannot|^is required with|^a restore from .* needs/,
      ],
      ["sdk/resource.ts", /customTimeouts/],
      "sdk/id.ts",
      "provider/resources/branch/inputs.ts",
      ["provider/resources/branch/update.ts", /^cannot expire|^(Set|Remove|set) .*`expiresAt`/],
      ["provider/resources/endpoint.ts", /cannot be "active"/],
      ["provider/resources/neon-auth.ts", /^needs an/],
      ["provider/resources/neon-auth/settings.ts", /for the type|needs its password|^is required/],
      ["provider/resources/project.ts", /^sets the size|^cannot be disabled|^can only be raised/],
      ["provider/resources/role.ts", /^cannot be declared/],
      ["provider/resources/snapshot.ts", /^cannot be declared/],
      ["provider/resources/vpc-endpoint-assignment.ts", /^must be a region/],
      ["provider/lifecycle/errors.ts", /is not a valid … id\. The form/],
    ],
  },
  {
    title: "Neon refuses the request (400, 412, 422 and others)",
    cause:
      "The message quotes Neon's reason and the request id. 422: the state of the object or a limit of the account conflicts with the request. 412: the project stores no passwords.",
    remedy: "Fix what Neon's reason names. Neon support can find the request by its id.",
    from: [
      [
        "api/remediation.ts",
        /^(The project does not store|Correct the inputs|If they are correct|The request conflicts with the object|Fix the problem|contact Neon)/,
      ],
      ["api/remediation.ts", /^If the error persists, correct/],
      ["api/errors.ts", /failed with HTTP|^\[request/],
      ["api/http/outcome.ts", /^no reason given|no content type/],
      ["provider/call/conflict.ts", /Declare another one/],
      ["provider/resources/endpoint.ts", /was not started|Declare `disabled/],
      ["provider/resources/neon-auth-oauth-provider.ts", /was not added|^Register an application/],
      ["provider/resources/vpc-endpoint-assignment.ts", /was not assigned|can never be added/],
      ["provider/resources/vpc-endpoint-restriction.ts", /was not restricted|has to be assigned/],
    ],
  },
  {
    title: "Neon is busy (423, 429, 503)",
    cause:
      "423: other operations of the project are running. 429: the account exceeded its rate limit. 503: Neon is temporarily unavailable. The provider retries until the time limit and honours `Retry-After`.",
    remedy: "Run `pulumi up` again. To wait longer, set `customTimeouts` or `neon:operationTimeout`.",
    from: [
      ["api/remediation.ts", /^(Other operations|The account exceeded|Try again later)/],
      ["api/client.ts", /was not sent: the account|attempts in/],
    ],
  },
  {
    title: "No connection, or an unreadable response",
    cause: "The base URL, the proxy or the network does not lead to Neon's API, or something else answered.",
    remedy: "Check `neon:apiUrl`, which ends in `/api/v2`, and the [proxy settings](configuration.md#proxies).",
    from: [
      "api/http/proxy.ts",
      ["api/client.ts", /proxy|has never returned|no response within/],
      [
        "api/http/outcome.ts",
        /received|but the response|JSON|base URL|empty|body|no value|expected shape|no response|more\)/,
      ],
      ["api/remediation.ts", /base URL|newer version/],
    ],
  },
  {
    title: "The outcome of a request is unknown (500, 502, 504, 524, no response)",
    cause:
      "A request was sent and no usable response came back. The provider looked for its result and could not tell whether the change was made.",
    remedy:
      "Run the command that the message names. It looks for the result before it sends anything ([recovery](recovery.md#after-a-failed-run)).",
    from: [
      ["api/errors.ts", /outcome is unknown/],
      ["api/remediation.ts", /^Check the current state/],
      ["provider/call/change.ts", /Nothing has changed|but the change was not made|Checking the result failed/],
      ["provider/lifecycle/sent-creation.ts", /is unusable|checks again first|No object was found/],
    ],
  },
  {
    title: "An operation failed or takes too long",
    cause:
      "Neon accepted the change, and an operation of it ended without success or did not end within the time limit. The state keeps the object and the pending operations.",
    remedy:
      "Run `pulumi up`: it waits for the same operations, or repairs what failed. To allow more time, raise the [time limit](configuration.md#timeouts): `pulumi config set neon:operationTimeout 30m`, or `customTimeouts` of the resource.",
    printed:
      "Timed out after 600 s: operation b8237d5b-a4ab-4699-a251-75498540c728 (start_compute) is running. The next `pulumi up` resumes from here.",
    from: [
      ["api/errors.ts", /Operation|did not recover|ended with status|Timed out|Last poll|^… is …$|^operation/],
      "api/operations/poll-result.ts",
      ["api/remediation.ts", /^Pending operations/],
      "provider/lifecycle/partial-failure.ts",
      ["provider/lifecycle/sent-creation.ts", /resumes from here/],
    ],
  },
  {
    title: "What a failed change has done",
    cause: "Each error ends with what happened to the object and to the state.",
    remedy: "See [After a failed run](recovery.md#after-a-failed-run).",
    from: [
      [
        "provider/lifecycle/errors.ts",
        /^Nothing was|^The state was not changed|stays in the state|^Run the same command/,
      ],
      ["provider/call/change.ts", /^Run the same command/],
    ],
  },
  {
    title: "A preview announces a replacement",
    cause: "A property changed that Neon cannot change in place, or the creation of the object failed.",
    remedy:
      "If you want to keep the object, revert the property. [resources.md](resources.md#what-a-change-does) lists the properties that replace.",
    from: [
      "provider/lifecycle/replace-warning.ts",
      ["provider/lifecycle/errors.ts", /retainOnDelete|declare another name$/],
      ["provider/resources/rotation.ts", /^The old … is revoked/],
      ["provider/resources/branch.ts", /^Data written/],
      ["provider/resources/bucket.ts", /^The new bucket/],
      ["provider/resources/data-api.ts", /^Requests to the old/],
      ["provider/resources/database.ts", /^The data in/],
      ["provider/resources/endpoint.ts", /^The new compute/],
      ["provider/resources/organization-member.ts", /^The old member/],
      ["provider/resources/project.ts", /transfers this project/],
      ["provider/resources/neon-auth-oauth-provider.ts", /^Users cannot/],
      ["provider/resources/neon-auth.ts", /^(All )?[Uu]sers /],
      ["provider/resources/project-permission.ts", /^The old permission/],
      ["provider/resources/project.ts", /^All branches/],
      ["provider/resources/role.ts", /^The new role/],
      ["provider/resources/snapshot.ts", /^The data in/],
      ["provider/resources/vpc-endpoint-assignment.ts", /^The old VPC/],
    ],
  },
  {
    title: "A delete is refused",
    cause:
      "The branch is protected, is the default branch or has children, or the role owns a database. The resource stays in the state.",
    remedy:
      "Remove the obstacle that the message names, then delete again. If the project is deleted too, set the resource option [`deletedWith`](production.md#keep-objects-from-being-deleted).",
    from: [
      "provider/call/delete-object.ts",
      "provider/resources/project-defaults.ts",
      ["provider/resources/branch/default.ts", /was not deleted|Declare another|the branch itself|cannot become/],
      ["provider/resources/branch/obstacles.ts", /^it is|more$|^The …: …$/],
      ["provider/resources/branch.ts", /^was not deleted|then delete it|Delete the children|defaultSuccessorId/],
      ["provider/resources/branch/update.ts", /^Delete the children/],
      ["provider/resources/endpoint.ts", /was not deleted|then delete the compute/],
      ["provider/resources/project.ts", /was not deleted|then delete the project/],
      ["provider/resources/bucket.ts", /was not deleted|only empty buckets/],
      ["provider/resources/role.ts", /was not deleted|another owner/],
    ],
  },
  {
    title: "A preview announces that data is overwritten",
    cause: "A changed trigger restores or resets the branch.",
    remedy:
      "If you want to keep the current data, declare `restore.preserveUnderName`, or set the trigger back ([restore.md](restore.md)).",
    from: [
      [
        "provider/resources/branch/restore.ts",
        /overwrites the data|^The current data|^A new branch named|^its own|^its parent/,
      ],
    ],
  },
  {
    title: "The data of a branch is not masked",
    cause:
      "Neon could not apply a rule, for example because the table or column does not exist, or needs more time than the resource has. The branch exists, with data that may be unmasked.",
    remedy:
      "Correct `maskingRules` and run `pulumi up` again: it masks the data again. If it was the time, set `customTimeouts`.",
    from: [
      ["provider/resources/branch/masking.ts", /was not masked|^Correct|^Timed out|^no reason/],
      ["provider/lifecycle/read.ts", /may not be in effect$/],
    ],
  },
  {
    title: "A branch is not restored",
    cause:
      "The branch, or what `restore` and `resetTrigger` declare, does not allow the restore. The branch is unchanged, unless the message says that a restore of it failed.",
    remedy: "Declare what the message names, and keep the new trigger ([restore.md](restore.md)).",
    from: [["provider/resources/branch/restore.ts", /^(?!restore branch|restore\.trigger …|resetTrigger …)/]],
  },
  {
    title: "A backup schedule without effect",
    cause:
      "Neon takes snapshots of root branches only. A restore gives a root branch a parent, and its schedule can then be neither changed nor deleted.",
    remedy: "Remove the `BackupSchedule` from the program, or declare it for a root branch.",
    from: [["provider/resources/backup-schedule.ts", /has a parent|^Only root branches/]],
  },
  {
    title: "Recovery of an interrupted run",
    cause: "An earlier run was killed or lost a response, and this run found what it left.",
    remedy: "See [After a killed run](recovery.md#after-a-killed-run), which explains each warning.",
    from: [
      ["provider/lifecycle/errors.ts", /^Another run of this stack is active|^Wait until that run|^Several/],
      "provider/lifecycle/sent-creation.ts",
      "provider/lifecycle/recovery.ts",
      ["provider/call/change.ts", /An earlier run may/],
      "provider/call/idempotency.ts",
    ],
  },
  {
    title: "The state cannot be read",
    cause: "The state file was edited by hand, or a newer version of the package wrote it.",
    remedy: "Upgrade the package, or restore the state from before the edit.",
    from: [["provider/lifecycle/errors.ts", /^The state of (the|this)/]],
  },
  {
    title: "An output is absent",
    cause: "`requireOutput` was called for an output that the object does not have. The message says why.",
    remedy: "Declare or call what the message names.",
    from: [
      "sdk/required-output.ts",
      ["provider/resources/compute/connection.ts", /^(The branch has|The project does not store)/],
      ["sdk/resource.ts", /^The resource$/],
      ["provider/resources/api-key.ts", /^Neon returns a key/],
      ["provider/resources/credential.ts", /^Neon cannot reveal the secrets/],
      ["provider/resources/organization-member.ts", /has not joined/],
      ["provider/resources/neon-auth-oauth-provider.ts", /^The program declares none/],
      ["provider/resources/neon-auth.ts", /^The program declares none|^Only the provider/],
      ["provider/resources/role.ts", /^The role cannot log in/],
    ],
  },
  {
    title: "A project is not transferred",
    cause:
      "Changing `orgId` transfers the project. Neon refused it: the API key may not give the project away or does not see the other organization, the plan has no room, or the project has integrations. An adopted project is never transferred by the adoption.",
    remedy: "Use a personal API key of an administrator who belongs to both, and fix what Neon's text names.",
    from: [
      "provider/resources/project/transfer.ts",
      ["provider/resources/project.ts", /cannot be adopted|Adopt it as it is/],
    ],
  },
  {
    title: "A person has not joined the organization yet",
    cause:
      "An `OrganizationMember` invites an e-mail address. Somebody without an account joins later; until then, Neon's API can neither change the role nor withdraw the invitation.",
    remedy: "Wait until the person has joined, or withdraw the invitation in Neon's console.",
    from: [["provider/resources/organization-member.ts", /has not joined|until the person|cannot be withdrawn/]],
  },
  {
    title: "A data source or component fails",
    cause: "A lookup that finds nothing, or several objects, is an error, never an empty result.",
    remedy:
      "Correct the argument that the message names. If the object belongs to an organization, set `orgId` ([data sources](data-sources.md)).",
    from: ["api/lookups/", "sdk/components/branch-environment.ts", "sdk/data-source.ts"],
  },
  {
    title: "Rows, log lines, and names within other messages",
    cause:
      "While a resource waits, its row shows the change, the operation or the reason of a retry. Messages name changes and objects with the same words. With `neon:logLevel`, each HTTP attempt is one line.",
    remedy: "Nothing: search for another part of the message, which has a topic of its own.",
    from: [
      ["api/client.ts", /^\[API key\]$/],
      ["api/connect.ts", /^(neon: |no response|unknown error)/],
      ["api/remediation.ts", /^(Try again\.|If the error persists, …)$/],
      ["api/http/outcome.ts", /^(HTTP …, …|Try again\.)$/],
      ["provider/call/change.ts", phrase],
      ["provider/call/context.ts", phrase],
      ["provider/call/sender.ts", phrase],
      ["provider/resources/api-key.ts", phrase],
      ["provider/resources/backup-schedule.ts", phrase],
      ["provider/resources/branch/change-compute.ts", phrase],
      ["provider/resources/branch/default.ts", phrase],
      ["provider/resources/branch/obstacles.ts", phrase],
      ["provider/resources/branch/restore.ts", phrase],
      ["provider/resources/branch/create.ts", phrase],
      ["provider/resources/branch/update.ts", phrase],
      ["provider/resources/branch.ts", phrase],
      ["provider/resources/database.ts", phrase],
      ["provider/resources/endpoint.ts", phrase],
      ["provider/resources/branch/masking.ts", /^(mask|change|masking)[ a-z]*( …)?$|^masking data: …$/],
      ["provider/resources/bucket.ts", phrase],
      ["provider/resources/credential.ts", phrase],
      ["provider/resources/data-api.ts", phrase],
      ["provider/resources/jwks-url.ts", phrase],
      ["provider/resources/organization-member.ts", phrase],
      ["provider/resources/project-member-role.ts", phrase],
      ["provider/resources/neon-auth-oauth-provider.ts", phrase],
      ["provider/resources/neon-auth-trusted-domain.ts", phrase],
      ["provider/resources/neon-auth.ts", phrase],
      ["provider/resources/neon-auth/settings.ts", phrase],
      ["provider/resources/project-permission.ts", phrase],
      ["provider/resources/project.ts", phrase],
      ["provider/resources/role.ts", phrase],
      ["provider/resources/compute/change.ts", phrase],
      ["provider/resources/snapshot.ts", phrase],
      ["provider/resources/spending-limit.ts", phrase],
      ["provider/resources/vpc-endpoint-assignment.ts", phrase],
      ["provider/resources/vpc-endpoint-restriction.ts", phrase],
    ],
  },
  {
    title: "A command of `neon-platform` fails",
    cause:
      "The command does not find the running platform or the branch, a platform runs on a data folder that has to be free, or a program is missing.",
    remedy: "See [commands](local-platform.md#commands). `npx --no -- neon-platform doctor` checks the machine.",
    from: ["platform/commands/", "platform/routes/local-status.ts", ["platform/storage/store.ts", /stop it first/]],
  },
  {
    title: "The local platform does not start",
    cause: "An option of `neon-platform` or `startPlatform` is malformed, or its port or data folder cannot be used.",
    remedy:
      "Correct the option ([options](local-platform.md#options)). To start from nothing, use another data folder.",
    from: [
      "platform/index.ts",
      "platform/http/listener.ts",
      "platform/model/operations/operation-time.ts",
      "platform/proxy/certificate-authority.ts",
      "platform/proxy/proxy.ts",
      "platform/storage/",
    ],
  },
  {
    title: "The local platform's own routes, and scripted faults",
    cause: "A request to a route below `/local` is malformed, or a response was scripted there.",
    remedy:
      "See [local routes](local-platform.md#local-routes). `DELETE /local/faults`, or `clearFaults()`, ends all scripted faults.",
    from: [
      "platform/model/operations/faults.ts",
      "platform/routes/local-accounts.ts",
      "platform/routes/local-faults.ts",
      ["platform/http/response.ts", /scripted fault/],
      ["platform/model/operations/lifecycle.ts", /scripted fault/],
    ],
  },
  {
    title: "The console of the local platform",
    cause:
      "The page was not built, a page of another site asks for something, or SQL that was run on a branch returns too much.",
    remedy: "See [the console](local-platform.md#the-console).",
    from: ["platform/console-server/"],
  },
  {
    title: "The local platform cannot accept a request",
    cause:
      "The key is missing, invalid, or not allowed to make this request; the route does not exist; or the path, query or body is malformed. A provider reaches this only with a wrong key or base URL.",
    remedy:
      "Use the URL and a key that the platform printed when it started, including the version in the path. The [console](local-platform.md#the-console) lists the last requests.",
    from: ["platform/app.ts", "platform/http-error.ts", "platform/http/"],
  },
  {
    title: "The local platform refuses a change",
    cause:
      "The change is not possible as things are, as it would not be at Neon: a name is taken, an object is protected or is needed by another one, a limit is reached, or another change is in progress. Neon's own words can differ.",
    remedy: "Change what the text names, in the program or with the API of the platform.",
    from: ["platform/model/", "platform/routes/"],
  },
  {
    title: "The Postgres of the local platform cannot do something",
    cause:
      "No Postgres of the version is installed, it cannot run here, it rejects a setting, or files of a branch are missing. An operation ends with the status `error` and such a text.",
    remedy:
      "See [Postgres of the local platform](local-platform.md#postgres). The log of a branch is `postgres/branches/<branch id>/data.log` in the data folder.",
    from: ["platform/data-plane/", "platform/postgres/"],
  },
  {
    title: "A client cannot connect to a local branch",
    cause:
      "The client names no endpoint or an unknown one, its password is wrong, its address is not allowed, its compute cannot be started, or what it sends is not PostgreSQL's protocol. Most texts are those of Neon's own proxy.",
    remedy: "See [connecting to local branches](local-platform.md#connecting) for the forms of connection strings.",
    from: ["platform/proxy/"],
  },
];
