import type { LoadPart, LoadRecord } from '@access-admin/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { ACCOUNTS_AT_ONCE } from '../access/sources/apply-accounts.ts';
import { insertMissing } from '../query/insert.ts';
import type { Tables } from '../schema/tables.ts';

/** The steps of a load, in their order: what is wrong with its lines, its catalogue, its accounts, and the accounts that it lacks. */
export const STEPS = { faults: 0, entitlement: 1, accessProfile: 2, role: 3, account: 4, deletion: 5 } as const;

/** The content of the pieces of a step. */
type ContentOf<Kind extends LoadRecord['kind']> = readonly (readonly [
  line: number,
  record: Extract<LoadRecord, { readonly kind: Kind }>,
])[];

interface PieceOf<Step extends number, Content> {
  readonly step: Step;
  readonly part: number;
  readonly piece: number;
  readonly content: Content;
}

/** A piece of a load: so much as is applied in one transaction. */
export type Piece =
  | PieceOf<typeof STEPS.faults, Pick<LoadPart, 'faults' | 'faultCount'>>
  | PieceOf<typeof STEPS.entitlement, ContentOf<'entitlement'>>
  | PieceOf<typeof STEPS.accessProfile, ContentOf<'accessProfile'>>
  | PieceOf<typeof STEPS.role, ContentOf<'role'>>
  | PieceOf<typeof STEPS.account, ContentOf<'account'>>;

/** Where a piece is. */
export type PiecePlace = Pick<Piece, 'step' | 'part' | 'piece'>;

interface OfLoad {
  readonly tenant: string;
  readonly loadId: string;
}

// Characters: a piece ends with the record that brings it to this length.
const PIECE_LENGTH = 1024 * 1024;

/** Stores a part of a load, in place of what there was of it. */
export async function writePart(
  trx: Transaction<Tables>,
  { tenant, loadId }: OfLoad,
  { part, records, faults, faultCount }: LoadPart & { readonly part: number },
): Promise<void> {
  const steps = Object.values(STEPS);
  await sql`delete from source_load_part
    where tenant = ${tenant} and load_id = ${loadId} and step in (${sql.join(steps)}) and part = ${part}`.execute(trx);
  const insert = (step: number, piece: number, content: string) =>
    insertMissing(trx, 'source_load_part', [{ tenant, load_id: loadId, step, part, piece, content }]);
  if (faultCount > 0) await insert(STEPS.faults, 0, JSON.stringify({ faults, faultCount }));
  for (const [kind, ofKind] of Map.groupBy(records, ({ record }) => record.kind)) {
    let piece = 0;
    let content: string[] = [];
    let length = 0;
    const flush = async () => {
      if (content.length > 0) await insert(STEPS[kind], piece, `[${content.join()}]`);
      [piece, content, length] = [piece + 1, [], 0];
    };
    for (const { line, record } of ofKind) {
      const text = JSON.stringify([line, record]);
      content.push(text);
      length += text.length;
      if (content.length === ACCOUNTS_AT_ONCE || length >= PIECE_LENGTH) await flush();
    }
    await flush();
  }
}

/** The piece of a load after another one, or the first one; null behind the last. */
export async function readPiece(
  db: Kysely<Tables>,
  { tenant, loadId }: OfLoad,
  { step, part, piece }: { readonly step: number; readonly part: number; readonly piece: number },
): Promise<Piece | null> {
  const { rows } = await sql<PiecePlace & { readonly content: string }>`
    select step, part, piece, content from source_load_part
    where tenant = ${tenant} and load_id = ${loadId} and (step, part, piece) > (${step}, ${part}, ${piece})
    order by step, part, piece limit 1`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return { ...row, content: JSON.parse(row.content) };
}

/** Before the first piece. */
export const BEGINNING = { step: -1, part: 0, piece: 0 } as const;

/** Before the first piece that changes something. */
export const BEGINNING_OF_CHANGES = { step: STEPS.entitlement, part: 0, piece: 0 } as const;
