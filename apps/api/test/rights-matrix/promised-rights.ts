/** The rights that the service promises for one operation. */
export interface PromisedRights {
  readonly operationId: string;
  /** Any one is enough. */
  readonly scopes: readonly string[];
  /** Any one is enough for a caller that acts as an identity. */
  readonly capabilities: readonly string[];
  /** Whether an identity needs no capability for itself. */
  readonly self: boolean;
  /** Whether applications may use it. */
  readonly applications: boolean;
}

/** Written by hand from the promises; nothing of it comes from the tables that the service uses. */
const TABLE = `
  get-auth-user-v1                | auth-users:read auth-users:manage         | ORG_ADMIN HELPDESK     | self
  patch-auth-user-v1              | auth-users:manage                         | ORG_ADMIN
  get-profile-config-list-v1      | auth-profiles:read auth-profiles:manage   | ORG_ADMIN
  get-profile-config-v1           | auth-profiles:read auth-profiles:manage   | ORG_ADMIN
  patch-profile-config-v1         | auth-profiles:manage                      | ORG_ADMIN
  start-predict-sod-violations-v1 | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  start-predict-sod-violations-batch-v1 | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  start-violation-check-v1        | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  get-violation-check-v1          | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  start-sod-scan-v1               | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  start-sod-blast-radius-v1       | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  start-sod-dry-run-v1            | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN
  get-sod-report-v1               | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  list-sod-report-violations-v1   | sod-violations:read sod-violations:manage | ORG_ADMIN POLICY_ADMIN
  list-sod-policies-v1            | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN
  create-sod-policy-v1            | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  lint-sod-policies-v1            | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN
  get-sod-policy-v1               | sod-policies:read sod-policies:manage     | ORG_ADMIN POLICY_ADMIN
  put-sod-policy-v1               | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  patch-sod-policy-v1             | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  delete-sod-policy-v1            | sod-policies:manage                       | ORG_ADMIN POLICY_ADMIN
  list-sod-exceptions-v1          | sod-exceptions:read sod-exceptions:manage | ORG_ADMIN POLICY_ADMIN | identities
  create-sod-exception-v1         | sod-exceptions:manage                     | ORG_ADMIN POLICY_ADMIN | identities
  get-sod-exception-v1            | sod-exceptions:read sod-exceptions:manage | ORG_ADMIN POLICY_ADMIN | identities
  approve-sod-exception-v1        | sod-exceptions:manage                     | ORG_ADMIN POLICY_ADMIN | identities
  revoke-sod-exception-v1         | sod-exceptions:manage                     | ORG_ADMIN POLICY_ADMIN | identities
  get-tenant-ui-metadata-v1       | ui-metadata:read ui-metadata:manage       | ORG_ADMIN
  set-tenant-ui-metadata-v1       | ui-metadata:manage                        | ORG_ADMIN
  create-oauth-client-v1          | oauth-clients:manage                      | ORG_ADMIN
  list-oauth-clients-v1           | oauth-clients:manage                      | ORG_ADMIN
  get-oauth-client-v1             | oauth-clients:manage                      | ORG_ADMIN
  delete-oauth-client-v1          | oauth-clients:manage                      | ORG_ADMIN
  import-access-model-v1          | access-model:manage                       | ORG_ADMIN
  export-access-model-v1          | access-model:read access-model:manage     | ORG_ADMIN
  list-audit-events-v1            | audit-events:read                         | ORG_ADMIN
  export-audit-events-v1          | audit-events:read                         | ORG_ADMIN
  get-audit-head-v1               | audit-events:read                         | ORG_ADMIN
`;

/** The rights of every operation; whatever is not listed is denied. */
export const PROMISED_RIGHTS: readonly PromisedRights[] = TABLE.trim()
  .split('\n')
  .map((row) => {
    const [operationId = '', scopes = '', capabilities = '', note] = row.split('|').map((cell) => cell.trim());
    return {
      operationId,
      scopes: scopes.split(' '),
      capabilities: capabilities.split(' '),
      self: note === 'self',
      applications: note !== 'identities',
    };
  });

/** The rights of a caller; the identity is null for an application. */
export interface CallerRights {
  readonly scopes: readonly string[];
  readonly identityId: string | null;
  readonly capabilities: readonly string[];
}

/** Whether a caller may use an operation; `targetId` is the identity that it is about, or null. */
export function isPromised(
  table: readonly PromisedRights[],
  operationId: string,
  { scopes, identityId, capabilities, targetId }: CallerRights & { readonly targetId: string | null },
): boolean {
  const rights = table.find((row) => row.operationId === operationId);
  if (rights === undefined || !rights.scopes.some((scope) => scopes.includes(scope))) return false;
  if (identityId === null) return rights.applications;
  if (rights.self && targetId === identityId) return true;
  return rights.capabilities.some((capability) => capabilities.includes(capability));
}
