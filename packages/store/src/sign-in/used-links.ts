import { type AuditChange, exceedsMaker, type ResourceChange } from '@access-admin/domain';
import type { Kysely, Transaction } from 'kysely';
import { parseCapabilities } from '../access/records/identity-codec.ts';
import type { Tables } from '../schema/tables.ts';
import { type AccountKey, NO_PASSWORD, NO_TOTP } from './account.ts';
import { presentGeneration } from './link-generation.ts';

/** True if the used link of a new credential or session is valid, and if it has none. */
export async function isUsedLinkPresent(
  db: Kysely<Tables>,
  { tenant, identityId }: AccountKey,
  usedLink: string | null,
): Promise<boolean> {
  if (usedLink === null) return true;
  const found = await db
    .selectFrom('used_sign_in_link')
    .select('hash')
    .where('tenant', '=', tenant)
    .where('hash', '=', usedLink)
    .where('identity_id', '=', identityId)
    .where('generation', '=', presentGeneration('used_sign_in_link', tenant))
    .executeTakeFirst();
  return found !== undefined;
}

/** Finds the identity that made a used link; null without a link. */
export async function findMaker(db: Kysely<Tables>, tenant: string, usedLink: string | null): Promise<string | null> {
  if (usedLink === null) return null;
  const row = await db
    .selectFrom('used_sign_in_link')
    .select('maker_id')
    .where('tenant', '=', tenant)
    .where('hash', '=', usedLink)
    .executeTakeFirst();
  return row?.maker_id ?? null;
}

/** Records the maker of a used link, and forgets used links of the identity that nothing references any more. */
export async function keepUsedLink(trx: Transaction<Tables>, link: Tables['used_sign_in_link']): Promise<void> {
  const { tenant, identity_id: identityId } = link;
  await removeUnreferenced(trx, { tenant, identityId });
  await trx.insertInto('used_sign_in_link').values(link).execute();
}

async function removeUnreferenced(trx: Transaction<Tables>, { tenant, identityId }: AccountKey): Promise<void> {
  const linksOf = (table: 'passkey' | 'recovery_code' | 'session' | 'pending_sign_in') =>
    trx.selectFrom(table).select('used_link').where('tenant', '=', tenant).where('identity_id', '=', identityId);
  const accountLinks = (column: 'password_used_link' | 'totp_used_link') =>
    trx
      .selectFrom('sign_in_account')
      .select(`${column} as used_link`)
      .where('tenant', '=', tenant)
      .where('identity_id', '=', identityId);
  const rows = await linksOf('passkey')
    .unionAll(linksOf('recovery_code'))
    .unionAll(linksOf('session'))
    .unionAll(linksOf('pending_sign_in'))
    .unionAll(accountLinks('password_used_link'))
    .unionAll(accountLinks('totp_used_link'))
    .execute();
  const referenced = rows.flatMap(({ used_link }) => (used_link === null ? [] : [used_link]));
  await trx
    .deleteFrom('used_sign_in_link')
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .$if(referenced.length > 0, (query) => query.where('hash', 'not in', [...new Set(referenced)]))
    .execute();
}

interface RevokedUsedLinks {
  readonly hashes: ReadonlySet<string>;
  /** The removed factors, for the audit log, sorted by identity. */
  readonly changes: readonly ResourceChange[];
}

/**
 * Revokes the used links of promoted identities whose makers lack a capability of the identity, with the factors that were set
 * through them. The other used links get the new generation of their identities, which the caller has raised: a link that a
 * concurrent transaction uses keeps the old one, so nothing set through it is ever valid.
 */
export async function revokeUsedLinks(
  trx: Transaction<Tables>,
  tenant: string,
  { identityIds, isPromotion }: { readonly identityIds: readonly string[]; readonly isPromotion: boolean },
): Promise<RevokedUsedLinks> {
  const links = await trx
    .selectFrom('used_sign_in_link')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('identity_id', 'in', identityIds)
    .execute();
  const hashes = isPromotion ? await findExceeded(trx, tenant, links) : new Set<string>();
  const kept = links.filter(({ hash }) => !hashes.has(hash)).map(({ hash }) => hash);
  if (kept.length > 0)
    await trx
      .updateTable('used_sign_in_link')
      .set({ generation: presentGeneration('used_sign_in_link', tenant) })
      .where('tenant', '=', tenant)
      .where('hash', 'in', kept)
      .execute();
  return { hashes, changes: hashes.size === 0 ? [] : await removeLinksWithFactors(trx, tenant, [...hashes]) };
}

/** Finds the hashes of the links whose identities have a capability that the makers lack. */
async function findExceeded(
  trx: Transaction<Tables>,
  tenant: string,
  links: readonly Tables['used_sign_in_link'][],
): Promise<ReadonlySet<string>> {
  const ids = new Set(links.flatMap(({ identity_id, maker_id }) => [identity_id, maker_id]));
  if (ids.size === 0) return new Set();
  const identities = await trx
    .selectFrom('identity')
    .select(['id', 'capabilities'])
    .where('tenant', '=', tenant)
    .where('id', 'in', [...ids])
    .execute();
  const capabilities = new Map(identities.map((row) => [row.id, parseCapabilities(row.capabilities)]));
  const isExceeded = ({ identity_id, maker_id, maker_capabilities }: Tables['used_sign_in_link']) =>
    exceedsMaker(capabilities.get(identity_id) ?? [], {
      capabilities: parseCapabilities(maker_capabilities),
      presentCapabilities: capabilities.get(maker_id) ?? [],
    });
  return new Set(links.filter(isExceeded).map(({ hash }) => hash));
}

/** Removes used links with the factors that were set through them. Returns the changes for the audit log. */
async function removeLinksWithFactors(
  trx: Transaction<Tables>,
  tenant: string,
  hashes: readonly string[],
): Promise<readonly ResourceChange[]> {
  const links = await trx
    .deleteFrom('used_sign_in_link')
    .where('tenant', '=', tenant)
    .where('hash', 'in', hashes)
    .returning('identity_id')
    .execute();
  const ids = [...new Set(links.map(({ identity_id }) => identity_id))].sort();
  const changes = new Map<string, AuditChange[]>(ids.map((id) => [id, []]));
  const ofAccounts = () =>
    trx.updateTable('sign_in_account').where('tenant', '=', tenant).where('identity_id', 'in', ids);
  const passwords = await ofAccounts()
    .set(NO_PASSWORD)
    .where('password_used_link', 'in', hashes)
    .returning('identity_id')
    .execute();
  for (const { identity_id } of passwords)
    changes.get(identity_id)?.push({ field: 'passwordSet', before: true, after: null });
  const apps = await ofAccounts().set(NO_TOTP).where('totp_used_link', 'in', hashes).returning('identity_id').execute();
  for (const { identity_id } of apps)
    changes.get(identity_id)?.push({ field: 'totpEnrolled', before: true, after: null });
  const passkeys = await trx
    .deleteFrom('passkey')
    .where('tenant', '=', tenant)
    .where('identity_id', 'in', ids)
    .where('used_link', 'in', hashes)
    .returning(['identity_id', 'id', 'name'])
    .execute();
  for (const { identity_id, id, name } of passkeys)
    changes.get(identity_id)?.push({ field: 'passkey', before: { id, name }, after: null });
  const codes = await trx
    .deleteFrom('recovery_code')
    .where('tenant', '=', tenant)
    .where('identity_id', 'in', ids)
    .where('used_link', 'in', hashes)
    .returning('identity_id')
    .execute();
  for (const [id, { length }] of Map.groupBy(codes, ({ identity_id }) => identity_id))
    changes.get(id)?.push({ field: 'recoveryCodes', before: length, after: 0 });
  return [...changes].map(([id, ofIdentity]) => ({ resource: { type: 'AUTH_USER', id }, changes: ofIdentity }));
}
