import type { AccessAdminClient, AuditEvent } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../service/api.tsx';
import { nameIn } from '../service/audit/sentence.ts';

/** The name of what an entry is about; that of the entry, or the id, where it is gone or may not be read. */
export function useResourceName(event: AuditEvent): string {
  const api = useApi();
  const { type } = event.resource;
  // A session is known by whose it is.
  const id = type === 'SESSION' ? (holderOf(event) ?? event.resource.id) : event.resource.id;
  const read = READERS[type];
  const name = useQuery({
    queryKey: ['audit', 'name', type, id],
    enabled: id !== null && read !== undefined,
    queryFn: ({ signal }) => read?.(api, id ?? '', signal) ?? null,
  });
  return name.data ?? nameIn(event) ?? id ?? '';
}

/** The id of the identity whose session an entry is about; null where it does not say so. */
function holderOf({ changes }: AuditEvent): string | null {
  const change = changes.find(({ field }) => field === 'identityId');
  const id = change?.after ?? change?.before;
  return typeof id === 'string' ? id : null;
}

type Reader = (api: AccessAdminClient, id: string, signal: AbortSignal) => Promise<string>;

const readPerson: Reader = async (api, id, signal) => (await api.identities.get(id, { signal })).displayName ?? id;
const readPolicy: Reader = async (api, id, signal) => (await api.sodPolicies.get(id, { signal })).name;

const READERS: Partial<Record<AuditEvent['resource']['type'], Reader>> = {
  AUTH_USER: readPerson,
  IDENTITY: readPerson,
  SESSION: readPerson,
  SOD_POLICY: readPolicy,
  ROLE: async (api, id, signal) => (await api.roles.get(id, { signal })).name,
  ACCESS_PROFILE: async (api, id, signal) => (await api.accessProfiles.get(id, { signal })).name,
  ENTITLEMENT: async (api, id, signal) => (await api.entitlements.get(id, { signal })).name,
  AUTH_PROFILE: async (api, id, signal) => (await api.authProfiles.get(id, { signal })).name,
  CONTROL: async (api, id, signal) => (await api.controls.get(id, { signal })).name,
  OAUTH_CLIENT: async (api, id, signal) => (await api.oauthClients.get(id, { signal })).name,
  WEBHOOK: async (api, id, signal) => (await api.webhooks.get(id, { signal })).name,
  SOD_VIOLATION: async (api, id, signal) => {
    const { target, policy } = await api.violations.get(id, { signal });
    return `${target.name} – ${policy.name}`;
  },
  SOD_EXCEPTION: async (api, id, signal) => {
    const { identityId, policyId } = await api.sodExceptions.get(id, { signal });
    const [person, policy] = await Promise.all([
      readPerson(api, identityId, signal).catch(() => identityId),
      readPolicy(api, policyId, signal).catch(() => policyId),
    ]);
    return `${person} – ${policy}`;
  },
};
