import {
  type AuditContext,
  type Capability,
  fail,
  failure,
  isLinkPermitted,
  type LinkMaker,
  type NotFound,
  ok,
  type Result,
} from '@access-admin/domain';
import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely';
import { parseCapabilities } from '../access/records/identity-codec.ts';
import type { Failed } from '../engine/change.ts';
import type { Database } from '../engine/database.ts';
import { recordChange } from '../record/audit/append-event.ts';
import { appendMails } from '../record/mail/append.ts';
import { findMakers } from '../record/ties/makers.ts';
import { recordTies } from '../record/ties/record.ts';
import type { Tables } from '../schema/tables.ts';
import { type AccountKey, ensureAccount, signInScope } from './account.ts';
import { presentGeneration, readLinkGeneration } from './link-generation.ts';
import { keepUsedLink } from './used-links.ts';

const LINKS_OF_IDENTITY_MAX = 10;

/** A one-time link through which an identity enrols a factor. */
export interface NewLink {
  /** SHA-256 of the token, in hexadecimal digits. */
  readonly hash: string;
  readonly expiresMs: number;
  /** Its address, sealed for the identity to which it is mailed; null or left out where it is not mailed. */
  readonly sealedUrl?: string | null;
}

/** A link that was neither used nor revoked, and has not expired. */
export interface OpenLink {
  readonly identityId: string;
  /** Sign-ins that begin with the link are valid while the identity has this generation. */
  readonly generation: number;
  /** Once the link is used, credentials and sessions refer to it by this hash; null if no identity made it. */
  readonly usedLink: string | null;
}

/** One-time links by the hashes of their tokens. `CredentialStore` consumes them when it stores a factor. */
export interface SignInLinkStore {
  /** Decides and stores in one transaction. Removes the oldest links of the identity beyond ten. */
  create<F extends Failed>(
    auditContext: AuditContext,
    { identityId, link }: { readonly identityId: string; readonly link: NewLink },
    decide: (target: {
      readonly identityId: string;
      readonly capabilities: readonly Capability[];
    }) => Result<unknown, F>,
  ): Promise<Result<null, F | NotFound>>;
  /** Null also if the maker may no longer create a link for this identity. */
  find(tenant: string, hash: string, nowMs: number): Promise<OpenLink | null>;
  /** Consumes a link without storing a factor; false if `find` would return null. */
  consume(tenant: string, hash: string, nowMs: number): Promise<boolean>;
}

export const createSignInLinkStore = (database: Database): SignInLinkStore => ({
  create: (auditContext, { identityId, link }, decide) =>
    database.write(signInScope(auditContext), async (trx) => {
      const { tenant, time } = auditContext;
      if (!(await ensureAccount(trx, { tenant, identityId }))) return fail(NO_USER);
      const maker = await makerColumns(trx, auditContext);
      const capabilities = await readCapabilities(trx, { tenant, identityId });
      const decision = decide({ identityId, capabilities });
      if (!decision.ok) return decision;
      await removeSome(trx, { tenant, identityId }, Date.parse(time));
      const { hash, expiresMs, sealedUrl = null } = link;
      await trx
        .insertInto('sign_in_link')
        .values({
          tenant,
          hash,
          identity_id: identityId,
          generation: await readLinkGeneration(trx, { tenant, identityId }),
          ...maker,
          created: time,
          expires_ms: expiresMs,
        })
        .execute();
      const resource = { type: 'AUTH_USER', id: identityId } as const;
      const after = { signInLinkExpires: new Date(expiresMs).toISOString() };
      await recordChange(trx, { auditContext, resource, before: { signInLinkExpires: null }, after });
      // An administrator may change the address of an internal identity, but not become one.
      if (sealedUrl !== null && !capabilities.includes('INTERNAL'))
        await appendMails(trx, auditContext, [
          { kind: 'sign-in-link', recipientId: identityId, data: { expiresMs }, secret: sealedUrl, expiresMs },
        ]);
      return ok(null);
    }),
  find: (tenant, hash, nowMs) => database.read((db) => findLink(db, tenant, { hash, nowMs })),
  consume: (tenant, hash, nowMs) =>
    database.write(signInScope({ tenant }), async (trx) => {
      const link = await findLink(trx, tenant, { hash, nowMs });
      return link !== null && (await useLink(trx, { tenant, identityId: link.identityId }, { hash, nowMs })) !== null;
    }),
});

const NO_USER: NotFound = failure('NotFound', '', 'There is no such auth user.');

/** The maker cannot be deleted until the transaction ends: its deletion ends the links that it finds. */
async function makerColumns(
  trx: Transaction<Tables>,
  { tenant, actor: { clientId, identityId } }: AuditContext,
): Promise<Pick<Tables['sign_in_link'], 'maker_id' | 'maker_client_id' | 'maker_capabilities'>> {
  const capabilities =
    identityId === null ? null : await findCapabilities(trx, { tenant, identityId }, (query) => query.forKeyShare());
  return {
    maker_id: identityId,
    maker_client_id: clientId,
    maker_capabilities: identityId === null ? null : JSON.stringify(capabilities ?? []),
  };
}

export async function readCapabilities(db: Kysely<Tables>, key: AccountKey): Promise<readonly Capability[]> {
  const capabilities = await findCapabilities(db, key);
  if (capabilities === null) throw new Error('An identity that this transaction has found is gone.');
  return capabilities;
}

/** Null if there is no such identity. */
async function findCapabilities(
  db: Kysely<Tables>,
  { tenant, identityId }: AccountKey,
  lock: (query: CapabilitiesQuery) => CapabilitiesQuery = (query) => query,
): Promise<readonly Capability[] | null> {
  const query = db
    .selectFrom('identity')
    .select('capabilities')
    .where('tenant', '=', tenant)
    .where('id', '=', identityId);
  const row = await lock(query).executeTakeFirst();
  return row === undefined ? null : parseCapabilities(row.capabilities);
}

type CapabilitiesQuery = SelectQueryBuilder<Tables, 'identity', { capabilities: string }>;

async function findLink(
  db: Kysely<Tables>,
  tenant: string,
  { hash, nowMs }: { readonly hash: string; readonly nowMs: number },
): Promise<OpenLink | null> {
  const link = await db
    .selectFrom('sign_in_link')
    .select(['identity_id', 'generation', 'maker_id', 'maker_capabilities'])
    .where('tenant', '=', tenant)
    .where('hash', '=', hash)
    .where('expires_ms', '>', nowMs)
    .where('generation', '=', presentGeneration('sign_in_link', tenant))
    .executeTakeFirst();
  if (link === undefined) return null;
  const { identity_id: identityId, generation } = link;
  const capabilities = await findCapabilities(db, { tenant, identityId });
  return capabilities !== null && isLinkPermitted(capabilities, await readMaker(db, tenant, link))
    ? { identityId, generation, usedLink: link.maker_id === null ? null : hash }
    : null;
}

async function readMaker(
  db: Kysely<Tables>,
  tenant: string,
  { maker_id, maker_capabilities }: Pick<Tables['sign_in_link'], 'maker_id' | 'maker_capabilities'>,
): Promise<LinkMaker | null> {
  if (maker_id === null || maker_capabilities === null) return null;
  const presentCapabilities = await findCapabilities(db, { tenant, identityId: maker_id });
  return { capabilities: parseCapabilities(maker_capabilities), presentCapabilities: presentCapabilities ?? [] };
}

/** Consumes a link of this identity and ties the identity to the maker; null if the link is gone. */
export async function useLink(
  trx: Transaction<Tables>,
  { tenant, identityId }: AccountKey,
  { hash, nowMs }: { readonly hash: string; readonly nowMs: number },
): Promise<OpenLink | null> {
  const found = await findLink(trx, tenant, { hash, nowMs });
  if (found?.identityId !== identityId) return null;
  const link = await trx
    .deleteFrom('sign_in_link')
    .where('tenant', '=', tenant)
    .where('hash', '=', hash)
    .where('identity_id', '=', identityId)
    .where('expires_ms', '>', nowMs)
    .returning(['maker_id', 'maker_client_id', 'maker_capabilities'])
    .executeTakeFirst();
  if (link === undefined) return null;
  const actor = { clientId: link.maker_client_id ?? '', identityId: link.maker_id };
  const makerIds = await findMakers(trx, { tenant, actor });
  await recordTies(trx, { tenant, makerIds, madeMs: nowMs }, [identityId]);
  const { maker_id, maker_capabilities } = link;
  if (maker_id !== null && maker_capabilities !== null)
    await keepUsedLink(trx, {
      tenant,
      hash,
      identity_id: identityId,
      generation: found.generation,
      maker_id,
      maker_capabilities,
    });
  return found;
}

/** Removes expired links, and the oldest ones so that another fits. */
async function removeSome(trx: Transaction<Tables>, { tenant, identityId }: AccountKey, nowMs: number): Promise<void> {
  const links = await trx
    .selectFrom('sign_in_link')
    .select(['hash', 'expires_ms'])
    .where('tenant', '=', tenant)
    .where('identity_id', '=', identityId)
    .orderBy('created', 'desc')
    .orderBy('hash')
    .execute();
  const removed = links.filter(({ expires_ms }, place) => expires_ms <= nowMs || place >= LINKS_OF_IDENTITY_MAX - 1);
  for (const { hash } of removed)
    await trx.deleteFrom('sign_in_link').where('tenant', '=', tenant).where('hash', '=', hash).execute();
}
