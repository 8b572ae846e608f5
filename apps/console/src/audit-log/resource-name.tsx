import type { AccessAdminClient, AuditEvent } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../service/api.tsx';
import { nameIn, personIn } from '../service/audit/sentence.ts';
import { nameOf } from '../service/name-of.ts';
import { missingRight, type Right } from '../service/rights.ts';
import { sessionQuery } from '../service/session.ts';

type ResourceType = AuditEvent['resource']['type'];

/** The name of a resource; undefined without an id, and where it is gone or may not be read. */
export function useReadName(type: ResourceType, id: string | null): string | null | undefined {
  const api = useApi();
  const { data: session } = useQuery(sessionQuery(api));
  const read = READERS[type];
  const right = RIGHTS[type];
  const mayRead = right === undefined || (session !== undefined && missingRight(right, session) === null);
  const name = useQuery({
    queryKey: ['audit', 'name', type, id],
    enabled: id !== null && read !== undefined && mayRead,
    queryFn: ({ signal }) => read?.(api, id ?? '', signal) ?? null,
  });
  return name.data;
}

/** The name of what an entry is about; that of the entry, or the id, where it is gone or may not be read. Empty where it is about no single resource. */
export function useResourceName(event: AuditEvent): string {
  const { type } = event.resource;
  // A session is known by whose it is.
  const id = type === 'SESSION' ? personIn(event) : event.resource.id;
  return useReadName(type, id) ?? nameIn(event) ?? id ?? '';
}

/** Whose conflict with which policy an entry about a violation or an exception concerns. */
export interface ConflictName {
  readonly personId: string;
  readonly person: string;
  readonly policy: string;
  /** The id of the identity that requested the exception; null for a violation. */
  readonly requesterId: string | null;
}

/** Whose conflict it is; undefined for what is no conflict, and where it is gone or may not be read. */
export function useConflictName({ resource: { type, id } }: AuditEvent): ConflictName | undefined {
  const api = useApi();
  const conflict = useQuery({
    queryKey: ['audit', 'conflict', type, id],
    enabled: id !== null && isConflict(type),
    queryFn: ({ signal }) =>
      type === 'SOD_VIOLATION' ? readViolation(api, id ?? '', signal) : readException(api, id ?? '', signal),
  });
  return conflict.data;
}

/** Whether a kind of resource is about a person and a policy. */
export const isConflict = (type: ResourceType): type is 'SOD_VIOLATION' | 'SOD_EXCEPTION' =>
  type === 'SOD_VIOLATION' || type === 'SOD_EXCEPTION';

type Reader<Name = string> = (api: AccessAdminClient, id: string, signal: AbortSignal) => Promise<Name>;

const readPerson: Reader = async (api, id, signal) =>
  nameOf(id, (await api.identities.get(id, { signal })).displayName);
const readPolicy: Reader = async (api, id, signal) => (await api.sodPolicies.get(id, { signal })).name;

const readViolation: Reader<ConflictName> = async (api, id, signal) => {
  const { target, policy } = await api.violations.get(id, { signal });
  return { personId: target.id, person: target.name, policy: policy.name, requesterId: null };
};

const readException: Reader<ConflictName> = async (api, id, signal) => {
  const { identityId, policyId, requesterId } = await api.sodExceptions.get(id, { signal });
  const [person, policy] = await Promise.all([
    readPerson(api, identityId, signal).catch(() => identityId),
    readPolicy(api, policyId, signal).catch(() => policyId),
  ]);
  return { personId: identityId, person, policy, requesterId };
};

const READERS: Partial<Record<ResourceType, Reader>> = {
  AUTH_USER: readPerson,
  IDENTITY: readPerson,
  SESSION: readPerson,
  SOD_POLICY: readPolicy,
  ACCOUNT: async (api, id, signal) => (await api.accounts.get(id, { signal })).name,
  ROLE: async (api, id, signal) => (await api.roles.get(id, { signal })).name,
  ACCESS_PROFILE: async (api, id, signal) => (await api.accessProfiles.get(id, { signal })).name,
  ENTITLEMENT: async (api, id, signal) => (await api.entitlements.get(id, { signal })).name,
  AUTH_PROFILE: async (api, id, signal) => (await api.authProfiles.get(id, { signal })).name,
  CONTROL: async (api, id, signal) => (await api.controls.get(id, { signal })).name,
  OAUTH_CLIENT: async (api, id, signal) => (await api.oauthClients.get(id, { signal })).name,
  WEBHOOK: async (api, id, signal) => (await api.webhooks.get(id, { signal })).name,
};

/** The right that the name of a resource needs beside the right to read the audit log. */
const RIGHTS: Partial<Record<ResourceType, Right>> = { OAUTH_CLIENT: 'clients', WEBHOOK: 'webhooks' };
