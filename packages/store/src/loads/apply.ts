import {
  type AccessProfile,
  type AuditContext,
  type ImportBase,
  importFootprint,
  type LoadRecord,
  type LoadSummary,
  planImport,
  type Role,
  recordsOf,
  type Source,
} from '@access-admin/domain';
import type { Transaction } from 'kysely';
import { ACCOUNTS_AT_ONCE, type AccountsApplied, applyAccounts } from '../access/sources/apply-accounts.ts';
import { deleteAccounts } from '../access/sources/delete-accounts.ts';
import { readSources } from '../access/sources/read.ts';
import { gatherImportBase } from '../import/gather-import-base.ts';
import { writeImportPlan } from '../import/write-import-plan.ts';
import { recordChanges } from '../record/audit/append-event.ts';
import { appendEvents } from '../record/events/append-events.ts';
import type { Tables } from '../schema/tables.ts';
import { refsOfAll } from './examine.ts';
import { createKnownAccess, textOfMissingAccess } from './missing-access.ts';
import { type Piece, STEPS } from './pieces.ts';

/** What a load cannot do any more, as its reader is told. */
export class LoadStopped extends Error {
  override readonly name = 'LoadStopped';
}

/** A load in the transaction of one of its pieces. */
export interface LoadInPieces {
  readonly auditContext: AuditContext;
  readonly sourceId: string;
  /** What marks the accounts that it has seen. */
  readonly number: number;
}

type AppliedPiece = Exclude<Piece, { readonly step: typeof STEPS.faults }>;

/** Applies a piece. Throws a `LoadStopped` where what it refers to has gone since it was examined. */
export async function applyPiece(
  trx: Transaction<Tables>,
  load: LoadInPieces,
  piece: AppliedPiece,
): Promise<Partial<LoadSummary>> {
  const { auditContext, number } = load;
  if (piece.step !== STEPS.account) return applyCatalogue(trx, auditContext, piece);
  const of = await accountsOf(trx, load);
  await refuseMissing(trx, auditContext.tenant, piece);
  const records = piece.content.map(([, { kind: _, ...record }]) => record);
  const applied = await applyAccounts(trx, { ...of, records, load: number });
  const lineOf = new Map(piece.content.map(([line, { id }]) => [id, line]));
  await tell(trx, auditContext, applied);
  return {
    ...applied.counts,
    faults: [...applied.faults, ...applied.unlinked].map(({ id, text }) => ({
      part: piece.part,
      line: lineOf.get(id) ?? 0,
      text,
    })),
  };
}

/** Applies entitlements, access profiles or roles as an import of them. */
async function applyCatalogue(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { part, content }: Exclude<AppliedPiece, { readonly step: typeof STEPS.account }>,
): Promise<Partial<LoadSummary>> {
  const { tenant, actor, time } = auditContext;
  const records = content.map(([line, record]) => ({ line, record }));
  const base = await gatherImportBase(trx, auditContext, importFootprint(records));
  const caller = { tenant, ...actor, scopes: new Set<string>(), capabilities: [] };
  const planned = planImport({ records, base, caller, now: time });
  if (!planned.ok)
    throw new LoadStopped(`The catalogue has changed meanwhile: ${planned.failure.causes[0]?.text ?? ''}`);
  const { counts } = planned.value;
  await writeImportPlan(trx, { auditContext, plan: planned.value, stored: base.stored });
  await recordChanges(trx, auditContext, recordsOf(planned.value, base));
  const sum = (what: 'created' | 'updated') =>
    counts.entitlement[what] + counts.accessProfile[what] + counts.role[what];
  const faults = records.flatMap(({ line, record }) => {
    const text = textOfEmptied(record, base);
    return text === null ? [] : { part, line, text };
  });
  return { catalogue: { created: sum('created'), updated: sum('updated') }, faults };
}

/** Tells of a role or an access profile that has granted something, and grants nothing any more; null for any other record. */
function textOfEmptied(record: LoadRecord, { stored }: ImportBase): string | null {
  if (record.kind !== 'role' && record.kind !== 'accessProfile') return null;
  const before = record.kind === 'role' ? stored.role.get(record.id) : stored.accessProfile.get(record.id);
  const sizeOf = (granting: Pick<AccessProfile, 'entitlements'> & Partial<Pick<Role, 'accessProfiles'>>) =>
    granting.entitlements.length + (granting.accessProfiles?.length ?? 0);
  if (before === undefined || sizeOf(before) === 0 || sizeOf(record) > 0) return null;
  return `the ${record.kind === 'role' ? 'role' : 'access profile'} ${record.id} grants nothing any more`;
}

async function refuseMissing(
  trx: Transaction<Tables>,
  tenant: string,
  { content: records }: Extract<Piece, { readonly step: typeof STEPS.account }>,
): Promise<void> {
  const known = createKnownAccess(tenant);
  await known.read(trx, refsOfAll(records));
  for (const ref of refsOfAll(records))
    if (!known.has(ref)) throw new LoadStopped(`The catalogue has changed meanwhile: ${textOfMissingAccess(ref)}`);
}

/** Accounts that were deleted. */
interface DeletedPiece {
  readonly summary: Partial<LoadSummary>;
  /** The key of the last one; null where there are no more. */
  readonly last: string | null;
}

/** Deletes some accounts of the source that the load has not seen, in the order of their keys. */
export async function deleteUnseen(trx: Transaction<Tables>, load: LoadInPieces, after: string): Promise<DeletedPiece> {
  const { auditContext, sourceId, number } = load;
  const { tenant } = auditContext;
  const rows = await trx
    .selectFrom('account')
    .select('id')
    .where('tenant', '=', tenant)
    .where('source_id', '=', sourceId)
    .where('id', '>', after)
    .where((eb) => eb.or([eb('seen_by_load', 'is', null), eb('seen_by_load', '<>', number)]))
    .orderBy('id')
    .limit(ACCOUNTS_AT_ONCE)
    .execute();
  const keys = rows.map(({ id }) => id);
  if (keys.length === 0) return { summary: {}, last: null };
  const applied = await deleteAccounts(trx, await accountsOf(trx, load), keys);
  await tell(trx, auditContext, applied);
  return { summary: applied.counts, last: keys.length < ACCOUNTS_AT_ONCE ? null : (keys.at(-1) ?? null) };
}

async function accountsOf(trx: Transaction<Tables>, { auditContext, sourceId }: LoadInPieces) {
  const sources = await readSources(trx, auditContext.tenant);
  const source: Source | undefined = sources.get(sourceId);
  if (source === undefined) throw new LoadStopped('The source was deleted.');
  return { auditContext, source, sources };
}

async function tell(
  trx: Transaction<Tables>,
  auditContext: AuditContext,
  { changes, events }: AccountsApplied,
): Promise<void> {
  await recordChanges(trx, auditContext, changes);
  await appendEvents(trx, auditContext.tenant, events);
}
