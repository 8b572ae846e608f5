import type { AuditEvent } from '@access-admin/client';
import { useQuery } from '@tanstack/react-query';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { nameQuery } from '../service/look-ups.ts';
import { AUDIT_TEXTS } from './texts.ts';

/** The `clientId` of what the service itself does, by the configuration of its operator. */
const SYSTEM = 'system';

/** The name of the identity that acted, or the id of the application. */
export function ActorName({ actor: { identityId, clientId } }: Pick<AuditEvent, 'actor'>) {
  const pageText = usePageTexts(AUDIT_TEXTS);
  if (identityId !== null) return <PersonName id={identityId} />;
  return clientId === SYSTEM ? pageText('system') : pageText('application', { id: clientId });
}

/** The name of an identity; its id if the identity is deleted or the caller may not read it. */
export function PersonName({ id }: { readonly id: string }) {
  const name = useQuery(nameQuery(useApi(), { type: 'IDENTITY', id }));
  return name.data ?? id;
}
