import { foldUsername } from '@access-admin/domain';
import { type Kysely, sql } from 'kysely';
import { parseCapabilities } from '../access/records/identity-codec.ts';
import { rowToAuthProfile } from '../access/records/identity-profile-codec.ts';
import type { IdentityProfileRow, PasskeyRow, Tables } from '../schema/tables.ts';
import type { SignInIdentity } from './identity.ts';
import { isOfPresentUsedLink } from './link-generation.ts';

/** Null for a username with compatibility characters, and if two identities have it, as while an import swaps uids. */
export async function findByUsername(
  db: Kysely<Tables>,
  tenant: string,
  username: string,
): Promise<SignInIdentity | null> {
  const folded = foldUsername(username);
  if (folded === null) return null;
  const rows = await identitiesOf(db, tenant).where('identity.uid_folded', '=', folded).limit(2).execute();
  const [row] = rows;
  return row === undefined || rows.length > 1 ? null : complete(db, tenant, row);
}

export async function findSignInIdentity(
  db: Kysely<Tables>,
  tenant: string,
  id: string,
): Promise<SignInIdentity | null> {
  const row = await identitiesOf(db, tenant).where('identity.id', '=', id).executeTakeFirst();
  return row === undefined ? null : complete(db, tenant, row);
}

export async function findByPasskey(
  db: Kysely<Tables>,
  tenant: string,
  passkeyId: string,
): Promise<SignInIdentity | null> {
  const passkey = await db
    .selectFrom('passkey')
    .select('identity_id')
    .where('tenant', '=', tenant)
    .where('id', '=', passkeyId)
    .executeTakeFirst();
  return passkey === undefined ? null : findSignInIdentity(db, tenant, passkey.identity_id);
}

const identitiesOf = (db: Kysely<Tables>, tenant: string) =>
  db
    .selectFrom('identity')
    // Only a partly restored database has identities without a profile: they are found, and blocked.
    .leftJoin('identity_profile as profile', (join) =>
      join.onRef('profile.tenant', '=', 'identity.tenant').onRef('profile.id', '=', 'identity.identity_profile'),
    )
    .leftJoin('sign_in_account as account', (join) =>
      join.onRef('account.tenant', '=', 'identity.tenant').onRef('account.identity_id', '=', 'identity.id'),
    )
    .select([
      ...([
        'identity.id',
        'identity.uid',
        'identity.display_name',
        'identity.active',
        'identity.capabilities',
      ] as const),
      ...(['profile.id as profile_id', 'profile.name', 'profile.type', 'profile.off_network'] as const),
      ...(['profile.untrusted_geography', 'profile.application_id', 'profile.application_name'] as const),
      ...(['account.password_hash', 'account.password_changed', 'account.password_used_link'] as const),
      ...(['account.totp_secret', 'account.totp_step', 'account.totp_created', 'account.totp_used_link'] as const),
    ])
    .select((eb) => [
      isOfPresentUsedLink('account.password_used_link', tenant).as('is_password_valid'),
      isOfPresentUsedLink('account.totp_used_link', tenant).as('is_totp_valid'),
      eb
        .selectFrom('sign_in_failure as failure')
        .select('failure.locked_until_ms')
        .where('failure.tenant', '=', tenant)
        .where('failure.kind', '=', 'USER')
        .whereRef('failure.subject', '=', 'identity.id')
        .as('locked_until_ms'),
      sql<string>`identity.tenant`.as('tenant'),
    ])
    .where('identity.tenant', '=', tenant)
    .$narrowType<{ profile_id: null } | ({ profile_id: string } & Pick<IdentityProfileRow, ProfileColumn>)>();

type ProfileColumn = 'name' | 'type' | 'off_network' | 'untrusted_geography';

type Found = Awaited<ReturnType<ReturnType<typeof identitiesOf>['execute']>>[number];

async function complete(db: Kysely<Tables>, tenant: string, row: Found): Promise<SignInIdentity> {
  const passkeys = await db
    .selectFrom('passkey')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('identity_id', '=', row.id)
    .where(isOfPresentUsedLink('passkey.used_link', tenant))
    .orderBy('created')
    .orderBy('id')
    .execute();
  const codes = await db
    .selectFrom('recovery_code')
    .select(['created', 'used_link'])
    .where('tenant', '=', tenant)
    .where('identity_id', '=', row.id)
    .where(isOfPresentUsedLink('recovery_code.used_link', tenant))
    .execute();
  return {
    id: row.id,
    uid: row.uid,
    displayName: row.display_name,
    capabilities: parseCapabilities(row.capabilities),
    active: row.active === 1,
    authProfile: row.profile_id === null ? null : rowToAuthProfile({ ...row, id: row.profile_id }),
    password: rowToPassword(row),
    totp: rowToTotp(row),
    passkeys: passkeys.map(rowToPasskey),
    recoveryCodes: rowsToRecoveryCodes(codes),
    lockedUntil: row.locked_until_ms ? new Date(row.locked_until_ms).toISOString() : null,
  };
}

function rowToPassword(row: Found): SignInIdentity['password'] {
  const { password_hash: hash, password_changed: changed, password_used_link: usedLink } = row;
  return hash === null || changed === null || !row.is_password_valid ? null : { hash, changed, usedLink };
}

function rowToTotp(row: Found): SignInIdentity['totp'] {
  const { totp_secret: secret, totp_step: lastStep, totp_created: created, totp_used_link: usedLink } = row;
  return secret === null || lastStep === null || created === null || !row.is_totp_valid
    ? null
    : { secret, lastStep, created, usedLink };
}

/** The codes of an identity are created together, so the first one's time and link hold for all. */
function rowsToRecoveryCodes(
  rows: readonly Pick<Tables['recovery_code'], 'created' | 'used_link'>[],
): SignInIdentity['recoveryCodes'] {
  const [row] = rows;
  return row === undefined ? null : { left: rows.length, created: row.created, usedLink: row.used_link };
}

const rowToPasskey = (row: PasskeyRow): SignInIdentity['passkeys'][number] => ({
  id: row.id,
  name: row.name,
  publicKey: row.public_key,
  counter: row.counter,
  transports: JSON.parse(row.transports),
  created: row.created,
  lastUsed: row.last_used,
  usedLink: row.used_link,
});
