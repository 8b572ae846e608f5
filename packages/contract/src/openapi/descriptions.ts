import type { OperationId } from '@access-admin/domain';
import type { PublicEndpointId } from './public-endpoints.ts';

/** What each operation does and when to call it, as the OpenAPI document says it. */
export const DESCRIPTIONS: Readonly<Record<OperationId, string>> = {
  'get-auth-user-v1':
    'Returns how the authentication system knows an identity: names, addresses, login times and its capabilities, the administrative rights inside the tenant. An identity may read itself.',
  'patch-auth-user-v1':
    'Changes the capabilities of an identity by a JSON Patch (RFC 6902). Nothing else can be changed here. A caller that acts as an identity gives others any capability but `INTERNAL`, and itself none, and the last `ORG_ADMIN` of a tenant stays. A gained capability ends open sign-in links of the identity, and the sessions that began with one.',
  'create-sign-in-link-v1':
    'Makes a link with which an auth user that has no password yet, or has lost it, sets one, or a passkey. It works once, for `hours` (24 if left out), and a second factor that is enrolled is still demanded. The answer alone has the link: hand it over on a way that only the person reads. The link ends when the auth user gains a capability, and is refused at its use when the auth user has one that the maker of the link lacked, or lacks now. 403 for an auth user with a capability that the caller lacks (an `ORG_ADMIN` lacks at most `INTERNAL`), and for the own one of a session, which `/account` changes.',
  'get-credentials-v1':
    'Returns what an auth user signs in with: whether it has a password and when it was set, whether an authenticator app is set up, its passkeys by name, how many recovery codes are left, how many failed attempts count at present, and until when it is locked. The answer has no secret.',
  'remove-credential-v1':
    'Removes one credential of an auth user, and ends its sessions. `credentialId` is `password`, `totp`, `recovery-codes` or the id of a passkey. Nothing happens where the auth user has no such credential. 403 for an auth user with a capability that the caller lacks, and for the own one, which `/account` changes; 409 where no `ORG_ADMIN` could sign in any more.',
  'unlock-auth-user-v1':
    'Ends the lock of an auth user, and forgets its failed attempts. A lock of an address stays. 403 for an auth user with a capability that the caller lacks, and for the own one.',
  'remove-credentials-v1':
    'Removes the password, passkeys, authenticator app, recovery codes and links of an auth user, and ends its sessions. 403 for an auth user with a capability that the caller lacks, and for the own one of a session, which `/account` changes; 409 for the last `ORG_ADMIN` that can sign in.',
  'get-profile-config-list-v1':
    'Lists the auth profiles of the tenant. Every identity profile has one with the same id and name; it says how its members sign in.',
  'get-profile-config-v1':
    'Returns one auth profile: the type of authentication, and whether access from off network and from untrusted geographies is blocked.',
  'patch-profile-config-v1':
    'Changes an auth profile by a JSON Patch (RFC 6902). The paths are `/type`, `/offNetwork`, `/untrustedGeography`, `/applicationId` and `/applicationName`. 403 where a caller that acts as an identity would change the type or the application of its own auth profile, or of one that an identity with a capability that the caller lacks has; 409 where no `ORG_ADMIN` could sign in any more. With `dryRun=true` nothing changes: the answer counts the identities that the change concerns, those that would newly be blocked or need a second factor, and those that would need one without having it, with the first 100 whose outcome changes, and says whether the change would be refused.',
  'get-auth-org-lockout-config-v1':
    'Returns after how many failed attempts within how many minutes (`lockoutWindow`) a user is locked, and for how many minutes (`lockoutDuration`).',
  'patch-auth-org-lockout-config-v1':
    'Changes the lockout by a JSON Patch (RFC 6902). The paths are `/maximumAttempts`, `/lockoutDuration` and `/lockoutWindow`.',
  'get-auth-org-session-config-v1':
    'Returns after how many minutes without activity, and after how many minutes in all, a session ends.',
  'patch-auth-org-session-config-v1':
    'Changes the times of sessions by a JSON Patch (RFC 6902). The paths are `/maxIdleTime`, `/rememberMe` and `/maxSessionTime`, which must be greater than `maxIdleTime`.',
  'get-auth-org-network-config-v1':
    'Returns the network ranges and countries that auth profiles with `offNetwork` and `untrustedGeography` are compared with. Countries are the only trusted ones with `whitelisted`, otherwise the untrusted ones.',
  'set-auth-org-network-config-v1':
    'Replaces all properties of the network config; those left out get their defaults. 409 where no `ORG_ADMIN` could sign in any more.',
  'patch-auth-org-network-config-v1':
    'Changes the network config by a JSON Patch (RFC 6902). The paths are `/range`, `/geolocation`, their items, and `/whitelisted`. 409 where no `ORG_ADMIN` could sign in any more. With `dryRun=true` nothing changes: the answer counts the identities that the change concerns, those that would newly be blocked or need a second factor, and those that would need one without having it, with the first 100 whose outcome changes, and says whether the change would be refused.',
  'list-sessions-v1':
    'Lists sessions that can be used, with what was proven at sign-in and the address they began from. An identity sees its own and needs neither scope nor capability for them; `ORG_ADMIN` and applications see all of the tenant.',
  'end-session-v1':
    'Ends a session at once, in every process within a second. An identity ends its own without scope or capability.',
  'decide-sign-in-v1':
    'Says what signing in would do for an identity, given by its id or its username, from an address: whether it is allowed, needs a second factor or is blocked, with all reasons. The sign-in page asks the same rules. Without `country` the country is that of the address where the operator has given a database; `at` is the instant at which a lock counts. Nothing is stored. 404 where there is no such identity, several bear the username, or it has compatibility forms such as full-width letters.',
  'start-predict-sod-violations-v1':
    'Says at once which SOD policies an identity would violate if it were granted the given access, before the access is granted. The answer contains the violations to which the new access contributes; `preexisting` is true where the identity already violates the policy. Nothing is stored.',
  'start-predict-sod-violations-batch-v1':
    'Predicts for many requests in one call. The body has one request of predict a line (NDJSON); the answer has one line for each, in the same order, with the status and body that a single call would get.',
  'start-violation-check-v1':
    'Starts the same evaluation as predict and stores its result. Use it where the result must be kept or may take longer. The answer comes once the check is stored; a worker then makes exactly one result, which `GET /sod-violations/v1/check/{requestId}` returns.',
  'get-violation-check-v1':
    'Returns the state of a check and, once it is done, its result. With `Prefer: wait=N` the answer is held until the result exists. `PENDING` becomes `SUCCESS` or `ERROR` and does not change afterwards.',
  'get-violation-check-receipt-v1':
    'Returns a signed statement of what a check was asked and what came of it: hashes of the request and of the result, the version of the rulebook, the instant of the data and the violated policies. `sod-receipt-verify` verifies it without the service. A check that is pending, or that ended in `ERROR` and so has no verdict, has no receipt: the answer is 409.',
  'start-sod-scan-v1':
    'Starts a report of all violations of the identities of the tenant: at the instant `at` or, without it, at any instant from now on. Read its state with `GET /sod-reports/v1/{reportId}` and its lines with `GET /sod-reports/v1/{reportId}/violations`.',
  'start-sod-blast-radius-v1':
    'Starts a report of the violations that would be new if a role or an access profile gained the given access. It looks at all identities that hold the role or the access profile. Nothing is changed.',
  'start-sod-dry-run-v1':
    'Starts a report of what a change of the rulebook would do: the violations that would be new, stay the same and be gone if policies were added, changed or removed. Nothing is changed.',
  'list-sod-reports-v1': 'Lists the reports of the tenant, the newest first, with their state and totals.',
  'get-sod-report-v1':
    'Returns the state of a report, its progress from 0 to 1 and, once it is done, the number of violations in all and for each policy.',
  'list-sod-report-violations-v1':
    'Returns the violations of a report that is done, one a line (NDJSON), sorted by policy id and identity id. Before that the answer is 409.',
  'list-sod-policies-v1': 'Lists the SOD policies of the tenant.',
  'create-sod-policy-v1':
    'Creates an SOD policy. It has two sides, or up to ten sides of which an identity may be on fewer than `atLeast`. With one side (critical access) any one of its items is a violation; `atLeast` is 1 then and may be left out. Without an `id` the service makes one. All items must exist.',
  'lint-sod-policies-v1':
    'Examines the rulebook itself, without identities: policies that cannot match, repeat or contain others, name deleted items, or are violated by a single role or access profile.',
  'get-sod-policy-v1': 'Returns one SOD policy. Items that have been deleted since are marked with `deleted`.',
  'put-sod-policy-v1':
    'Replaces an SOD policy as a whole; properties that are left out get their defaults. A policy can be sent back as it was read.',
  'patch-sod-policy-v1':
    'Changes an SOD policy by a JSON Patch (RFC 6902). `id`, `type`, `created` and `modified` cannot be changed.',
  'delete-sod-policy-v1':
    'Deletes an SOD policy. Exceptions from it end; its history stays in the audit log. To switch a policy off and keep it, patch `/state` to `NOT_ENFORCED`.',
  'get-sod-policy-history-v1':
    'Returns who changed a policy, when, and each changed property before and after: its audit events by sequence. It works after the policy is deleted, too.',
  'list-violations-v1':
    'Lists the violations of enforced policies that the service keeps up to date as data change, and those that have ended. `X-As-Of` is the instant that they are of. Filters on names with `sw` and `co` ignore case. Pages beyond the first are found by the `cursor` in `Link`, at the same speed at any depth.',
  'export-violations-v1':
    'Returns all violations that meet the filters, as of one instant (`X-As-Of`), one a line. With `Accept: text/csv` the answer is CSV (RFC 4180, UTF-8) with a header line, in which lists are JSON.',
  'get-violations-summary-v1':
    'Returns how many violations are open or mitigated, by level and by policy, and how that has changed from day to day. The counts are kept, so the answer takes the same time however many violations there are.',
  'get-violation-v1':
    'Returns one violation. An identity that owns it needs no capability. The `ETag` is that of the violation without `lastEvaluatedDate`.',
  'list-my-violations-v1':
    'Lists the violations that the identity of the caller owns; it needs no capability. Applications are refused.',
  'list-controls-v1': 'Lists the compensating controls of the tenant, with the present names of their owners.',
  'create-control-v1':
    'Creates a compensating control: a measure, such as a second signature, by which a violation may last for a limited time. Without an `id` the service makes one. Its owners must exist.',
  'get-control-v1': 'Returns one compensating control.',
  'put-control-v1':
    'Replaces a compensating control as a whole; properties that are left out get their defaults. Applications of it keep their end.',
  'patch-control-v1':
    'Changes a compensating control by a JSON Patch (RFC 6902). `id`, `type`, `created` and `modified` cannot be changed.',
  'delete-control-v1': 'Deletes a compensating control. While it is applied to a violation the answer is 409.',
  'reassign-violation-v1':
    'Gives a present violation another owner, in the words of this service (`reassignTo`) or of the SDK of SailPoint (`assigneeId`). An identity that owns the violation needs no capability; it gets 404 for an unknown identity and after the end of the violation alike. An identity cannot own its own violation.',
  'apply-control-v1':
    'Applies a compensating control to a present violation: requests an exception from now for the time of the control, with the comments as its justification, else the name of the control. Another identity must approve it; until then the control is `Pending`.',
  'list-sod-exceptions-v1':
    'Lists the exceptions of the tenant, requested, approved and ended ones. `state eq "APPROVED" and end le "2027-01-01T00:00:00Z"` finds those that end soon.',
  'create-sod-exception-v1':
    'Requests that an identity may violate a policy for a limited time. It has no effect until another identity approves it. The caller acts as an identity, and not as the one that the exception is for.',
  'get-sod-exception-v1':
    'Returns one exception with its state, those who requested, approved and revoked it, and its `terms`. They are part of its `ETag`, with which it is approved.',
  'approve-sod-exception-v1':
    'Approves an exception. The approver is neither the requester nor the identity that the exception is for, and is not tied to one of them: an identity is tied for 24 hours to whoever made a client for it or the sign-in link that was used, removed its credentials, created it, changed its `uid` or its identity profile, or gave it `ORG_ADMIN` or `POLICY_ADMIN`. The approval is of the `terms`: where they have changed since the request, `If-Match` has to name the version that was seen, which is 428 without (and with `*`), and 412 with an old one. It is bound to the name, level and criteria of the policy and to the conflicting items: when the policy changes in these, or an item joins the conflict, the exception becomes `VOID`. Predictions, checks and reports then show the violation with this exception.',
  'revoke-sod-exception-v1': 'Takes back an exception, or refuses a request for one, at once and for good.',
  'get-tenant-ui-metadata-v1':
    'Returns settings of the user interface: who may embed it, and the label and placeholder of the field for the user name. Values that were never set are null.',
  'set-tenant-ui-metadata-v1':
    'Changes settings of the user interface. A property that is left out stays as it is; null resets it. It can take up to 5 minutes until the user interface shows a change.',
  'create-oauth-client-v1':
    'Registers a program that may call this service. Without `identityId` it is an application, for which its scopes alone decide; with `identityId` it acts as that identity, whose capabilities must allow the call, too. No client can give a scope that it lacks, and none that acts as an identity makes a client for an identity with a capability that it lacks (403). The secret is in this answer only.',
  'list-oauth-clients-v1': 'Lists the clients of the tenant, without their secrets.',
  'get-oauth-client-v1':
    'Returns one client, without its secret. `bootstrap` marks the bootstrap client, which has every scope of the version that runs; other clients do not have this property.',
  'patch-oauth-client-v1':
    'Changes the name or the scopes of a client by a JSON Patch (RFC 6902). No client can give a scope that it lacks; a scope that is taken away no longer counts, in tokens already issued either. The last application of the tenant that holds a scope cannot lose it.',
  'delete-oauth-client-v1':
    'Deletes a client. Its tokens stop working within a second. The last client that can administer the clients of the tenant cannot be deleted, nor the last application that holds one of its scopes.',
  'rotate-oauth-client-secret-v1':
    'Gives a client another secret and returns it, this once. The old secret and its tokens work for `overlapHours` more (24 if left out); with 0 they end within a second. At most two secrets are valid: another rotation within this time ends the oldest at once. 403 where the client has a scope that the caller lacks. Who rotates the secret of a client that acts as an identity counts as who made this client: for 24 hours neither identity approves exceptions that the other requested.',
  'list-identities-v1':
    'Lists identities, with the numbers of their present violations. Filters on `displayName`, `uid` and `email` with `sw` and `co` ignore case. The identity profile is shown by name. Follow `Link` for the next page; a page may have fewer rows than `limit` although more follow.',
  'get-identity-v1':
    'Returns one identity with its assignments, by name, and the numbers of its present violations. An identity may read itself.',
  'list-entitlements-v1': 'Lists entitlements. Filters on `name` with `sw` and `co` ignore case.',
  'get-entitlement-v1': 'Returns one entitlement.',
  'list-entitlement-holders-v1':
    'Lists the assignments by which identities hold an entitlement, in the order of the identities. `via` is the shortest way from the assigned role or access profile down to the entitlement, empty for a direct assignment; `start` and `end` are the window of the assignment.',
  'list-access-profiles-v1':
    'Lists access profiles with their entitlements by name. Filters on `name` with `sw` and `co` ignore case. Large ones make a page shorter than `limit`.',
  'get-access-profile-v1': 'Returns one access profile with its entitlements by name.',
  'list-access-profile-holders-v1':
    'Lists the assignments by which identities hold an access profile, directly (`via` is empty) or by a role.',
  'list-roles-v1':
    'Lists roles with their access profiles and entitlements by name. Filters on `name` with `sw` and `co` ignore case. Large ones make a page shorter than `limit`.',
  'get-role-v1': 'Returns one role with its access profiles and entitlements by name.',
  'list-role-holders-v1': 'Lists the assignments by which identities hold a role; `via` is always empty.',
  'list-identity-profiles-v1':
    'Lists identity profiles with the settings of their auth profiles. Filters on `name` with `sw` and `co` ignore case.',
  'get-identity-profile-v1': 'Returns one identity profile with the settings of its auth profile.',
  'import-access-model-v1':
    'Creates, replaces and deletes records of the access model: entitlements, access profiles, roles, identity profiles, identities, SOD policies and UI metadata. The body has one record a line (NDJSON); `"delete": true` deletes the record with that kind and id. All lines take effect, or none does and the causes name the lines. A caller that acts as an identity changes neither `uid` nor `identityProfile` of itself, or of an identity with a capability that it lacks (403). Another `uid` ends the sessions, links and pending sign-ins of an identity.',
  'export-access-model-v1':
    'Returns all records of the access model, one a line (NDJSON), in an order in which they can be imported into another tenant.',
  'list-events-v1':
    'Returns what has happened in the tenant as CloudEvents, by sequence: those events whose resource the caller may read. `Accept` asks for a JSON array, for NDJSON (`application/x-ndjson`) or for a stream of server-sent events (`text/event-stream`), which goes on for up to an hour and resumes after `Last-Event-ID`. `Prefer: wait=n` holds a page until there is an event. Go on with `after` set to the header `X-Last-Sequence`, also after an empty page. Events are kept for EVENT_RETENTION_DAYS; `after` older than that, or beyond the last event, is answered with 410 and `X-Oldest-Sequence`.',
  'list-audit-events-v1':
    'Lists the audit events of the tenant by sequence: every change and every refused request, with who called and what changed.',
  'export-audit-events-v1':
    'Returns all audit events, one a line (NDJSON). Each contains the hash of the one before it; `audit-verify` verifies the export without the service.',
  'get-audit-head-v1':
    'Returns sequence and hash of the last audit event, signed with the key that signs tokens. With it, `audit-verify` shows whether the end of an export is missing.',
  'list-webhooks-v1': 'Lists the webhooks of the tenant. No answer of this operation has a secret.',
  'create-webhook-v1':
    'Creates a webhook: the service posts each event whose type matches one of `types` to `url`, signed after Standard Webhooks. `types` are types of events, beginnings such as `sod.violation.*`, or `*` for all that the caller may read; a pattern that covers more is refused (403). The URL must be https on port 443 or 8443, and its name must resolve to public addresses only, unless the operator lists its origin. The answer has the secret, this once. 409 where the operator has given no `SECRET_KEY`.',
  'get-webhook-v1': 'Returns one webhook, without its secret.',
  'patch-webhook-v1':
    'Changes a webhook by a JSON Patch (RFC 6902). The paths are `/name`, `/url`, `/types` and `/enabled`. With another URL or other types it tells what this caller may read. One that is enabled again gets the events from then on; `replay` delivers earlier ones.',
  'delete-webhook-v1': 'Deletes a webhook and its deliveries. What is being delivered may still arrive.',
  'rotate-webhook-secret-v1':
    'Gives a webhook another secret and returns it, this once. For 24 hours each message has a signature of the old secret too.',
  'list-webhook-deliveries-v1':
    'Lists the deliveries of a webhook, the newest first, with their last attempts. They are kept 30 days. `type` is the type of the event; that of a test is `webhook.test`.',
  'resend-webhook-delivery-v1':
    'Makes a delivery pending again, whatever its state: it is tried at once, and after failures as a new one. The message has the same `webhook-id`.',
  'test-webhook-v1':
    'Sends an event of the type `webhook.test` once, also to a webhook that is disabled. It has no sequence, and its data is the webhook.',
  'replay-webhook-v1':
    'Delivers the events after a sequence again, in order, and then the later ones. Without effect where the webhook has not got that far. 409 for a sequence whose next events are not kept any more, or that lies beyond the last event.',
};

/** The same for the endpoints that need no token. */
export const PUBLIC_DESCRIPTIONS: Readonly<Record<PublicEndpointId, string>> = {
  'create-token':
    'Returns an access token for a client (RFC 6749, grant `client_credentials`). The credentials are in the body or in an `Authorization: Basic` header. Without `scope` the token has all scopes of the client.',
  'get-jwks': 'Returns the public keys with which the signatures of access tokens can be verified (RFC 7517).',
  'get-server-metadata': 'Returns the addresses and abilities of the token endpoint (RFC 8414).',
  'get-current-session':
    'Returns whose session the cookie of the request names, how the identity has proven itself, and when the session ends. Pages ask it, because no script can read the cookie. A request with a token has no session.',
  'get-health': 'Answers 200 while the process runs. Restart a process that does not answer.',
  'get-readiness': 'Answers 200 while the process can serve requests, otherwise 503. Load balancers probe it.',
  'get-metrics':
    'Returns the metrics of this process in the text format of Prometheus. Where the service has a `METRICS_TOKEN`, send it as the Bearer token.',
  'get-openapi': 'Returns this document (OpenAPI 3.1).',
  'get-asyncapi':
    'Returns the AsyncAPI 3.0 document of the events: a message for each type, with the schema of its data.',
  'get-docs': 'Shows this document as a page on which requests can be tried.',
};
