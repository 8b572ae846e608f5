import type { AuditEvent } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameQuery } from '../service/look-ups.ts';
import { useReadName } from './resource-name.tsx';
import { AUDIT_TEXTS } from './texts.ts';

/** The `clientId` of what the service itself does, by the configuration of its operator. */
const SYSTEM = 'system';
/** The audit log has a `clientId` that begins so where a person has not signed in. */
const ADDRESS = 'address:';

/** The name of the identity or of the client that acted; its id if it is deleted or the caller may not read it. */
export function useActorName({ identityId, clientId }: AuditEvent['actor']): string {
  const pageText = usePageTexts(AUDIT_TEXTS);
  const api = useApi();
  const person = useQuery({
    ...nameQuery(api, { type: 'IDENTITY', id: identityId ?? '' }),
    enabled: identityId !== null,
  });
  const isClient = identityId === null && clientId !== SYSTEM && !clientId.startsWith(ADDRESS);
  const client = useReadName('OAUTH_CLIENT', isClient ? clientId : null);
  if (identityId !== null) return person.data ?? identityId;
  if (clientId === SYSTEM) return pageText('system');
  if (clientId.startsWith(ADDRESS)) return pageText('address', { address: clientId.slice(ADDRESS.length) });
  return pageText('application', { id: client ?? clientId });
}

/** The name of an identity; its id if the identity is deleted or the caller may not read it. */
export function PersonName({ id }: { readonly id: string }) {
  const name = useQuery(nameQuery(useApi(), { type: 'IDENTITY', id }));
  return name.data ?? id;
}
