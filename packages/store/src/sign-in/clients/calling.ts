import type { Capability } from '@access-admin/domain';
import type { Kysely } from 'kysely';
import { parseCapabilities } from '../../access/records/identity-codec.ts';
import { isPresent } from '../../record/tenants/is-present.ts';
import type { Tables } from '../../schema/tables.ts';
import type { CallingClient } from './client.ts';
import { scopesOf } from './codec.ts';

/** Reads a client with the rights that it has now; null where there is none, or its tenant is being removed. */
export async function findCallingClient(db: Kysely<Tables>, tenant: string, id: string): Promise<CallingClient | null> {
  const row = await db
    .selectFrom('oauth_client as client')
    .leftJoin('identity', (join) =>
      join.onRef('identity.tenant', '=', 'client.tenant').onRef('identity.id', '=', 'client.identity_id'),
    )
    .select([
      'client.identity_id',
      'identity.active',
      'identity.capabilities',
      'client.scopes',
      'client.is_bootstrap',
      'client.created',
      'client.secret_version',
      'client.previous_secret_ends_ms',
      'client.maker_capabilities',
      'client.previous_maker_capabilities',
      'client.is_session_bound',
    ])
    .where('client.tenant', '=', tenant)
    .where('client.id', '=', id)
    .where(isPresent(tenant))
    .executeTakeFirst();
  if (row === undefined) return null;
  const { identity_id: identityId, active, capabilities, created } = row;
  const client = {
    identityId,
    scopes: new Set(scopesOf(row)),
    created,
    secretVersion: row.secret_version,
    previousSecretEndsMs: row.previous_secret_ends_ms,
    makerCapabilities: parseMaker(row.maker_capabilities),
    previousMakerCapabilities: parseMaker(row.previous_maker_capabilities),
    isSessionBound: row.is_session_bound === 1,
  };
  if (identityId === null) return { ...client, capabilities: [] };
  return { ...client, capabilities: capabilities === null || active !== 1 ? null : parseCapabilities(capabilities) };
}

/** The capabilities of a client's maker, as they are stored; null where none are compared. */
export const parseMaker = (text: string | null): readonly Capability[] | null =>
  text === null ? null : parseCapabilities(text);

interface IdentityRights {
  readonly capabilities: readonly Capability[];
  /** The second in which it was created, in ms since 1970: tokens tell their times in seconds. */
  readonly createdMs: number;
}

/** Null where there is no such identity, it is not active, or its tenant is being removed. */
export async function findIdentityRights(
  db: Kysely<Tables>,
  tenant: string,
  id: string,
): Promise<IdentityRights | null> {
  const row = await db
    .selectFrom('identity')
    .select(['capabilities', 'created_ms'])
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('active', '=', 1)
    .where(isPresent(tenant))
    .executeTakeFirst();
  if (row === undefined) return null;
  return { capabilities: parseCapabilities(row.capabilities), createdMs: row.created_ms - (row.created_ms % 1_000) };
}

/** The capabilities of an identity for a token of an external issuer; null where the identity was created after it. */
export const capabilitiesFor = (
  identity: IdentityRights | null,
  issuedMs = Number.POSITIVE_INFINITY,
): readonly Capability[] | null => (identity !== null && issuedMs >= identity.createdMs ? identity.capabilities : null);
