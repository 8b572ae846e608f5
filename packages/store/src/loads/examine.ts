import {
  type AccessRef,
  addToSummary,
  EMPTY_LOAD_SUMMARY,
  type LineFault,
  type LoadLosses,
  type LoadRecord,
  type LoadSummary,
} from '@access-admin/domain';
import { packAccess } from '../access/records/access-codec.ts';
import { accountKeyOf } from '../access/sources/codec.ts';
import type { Pause } from '../engine/concurrency/pauses.ts';
import type { Reads } from '../engine/database.ts';
import { readColumns } from '../query/model-tables.ts';
import { countRows } from '../query/total.ts';
import { createKnownAccess, textOfMissingAccess } from './missing-access.ts';
import { BEGINNING, type Piece, readPiece, STEPS } from './pieces.ts';
import { createSeenKeys } from './seen-keys.ts';

/** A load to examine. */
interface ExaminedLoad {
  readonly tenant: string;
  readonly loadId: string;
  readonly source: string;
  readonly mode: string;
}

/** What is found of a load before it changes anything. */
interface Examined extends LoadLosses {
  /** With faults alone. */
  readonly summary: LoadSummary;
}

/**
 * Examines all pieces of a load: whether what their records refer to exists, or is in the load, and no account is in it twice; and
 * what the load would take away.
 */
export async function examineLoad({ read }: Reads, load: ExaminedLoad, pause: Pause): Promise<Examined> {
  const { tenant, source } = load;
  const known = createKnownAccess(tenant);
  const seen = createSeenKeys();
  const noAccess = packAccess([]);
  let summary = EMPTY_LOAD_SUMMARY;
  let held = 0;
  let emptied = 0;
  const examineAccounts = async (
    piece: Extract<Piece, { readonly step: typeof STEPS.account }>,
  ): Promise<LineFault[]> => {
    const faults: LineFault[] = [];
    const isEmpty = new Map<string, boolean>();
    for (const [line, { id, access }] of piece.content) {
      const key = accountKeyOf(source, id);
      if (!seen.add(key)) faults.push({ line, text: 'id: an earlier line has an account with this id' });
      isEmpty.set(key, access.length === 0);
      await pause();
    }
    await read(async (db) => {
      const from = { table: 'account', tenant, by: 'id', columns: ['id', 'access'] } as const;
      for await (const rows of readColumns(db, from, new Set(isEmpty.keys()))) {
        held += rows.length;
        for (const { id, access } of rows) if (isEmpty.get(id) === true && access !== noAccess) emptied += 1;
      }
    });
    return faults;
  };

  for (let piece = await next(BEGINNING); piece !== null; piece = await next(piece)) {
    const { part } = piece;
    const toldOf = (faults: readonly LineFault[]) => faults.map((fault) => ({ part, ...fault }));
    if (piece.step === STEPS.faults) {
      summary = addToSummary(summary, { faults: toldOf(piece.content.faults), faultCount: piece.content.faultCount });
      continue;
    }
    const records = piece.content;
    for (const [, record] of records) if (record.kind !== 'account') known.add(TYPE_OF[record.kind], record.id);
    await read((db) => known.read(db, refsOfAll(records)));
    const faults: LineFault[] = [];
    for (const [line, record] of records) {
      const missing = refsOf(record).find((ref) => !known.has(ref));
      if (missing !== undefined) faults.push({ line, text: textOfMissingAccess(missing) });
      await pause();
    }
    if (piece.step === STEPS.account) faults.push(...(await examineAccounts(piece)));
    summary = addToSummary(summary, { faults: toldOf(faults.sort((one, other) => one.line - other.line)) });
  }
  const accounts = await countAccounts();
  return { summary, emptied, accounts, deleted: load.mode === 'FULL' ? accounts - held : 0 };

  function next(after: Parameters<typeof readPiece>[2]): Promise<Piece | null> {
    return read((db) => readPiece(db, load, after));
  }

  async function countAccounts(): Promise<number> {
    return read((db) =>
      countRows(db.selectFrom('account').where('tenant', '=', tenant).where('source_id', '=', source)),
    );
  }
}

const TYPE_OF = { entitlement: 'ENTITLEMENT', accessProfile: 'ACCESS_PROFILE', role: 'ROLE' } as const;

const refs = (type: AccessRef['type'], ids: readonly string[]): readonly AccessRef[] => ids.map((id) => ({ type, id }));

/** The access that a record refers to. */
export function refsOf(record: LoadRecord): readonly AccessRef[] {
  if (record.kind === 'account') return record.access;
  if (record.kind === 'accessProfile') return refs('ENTITLEMENT', record.entitlements);
  return record.kind === 'role'
    ? [...refs('ENTITLEMENT', record.entitlements), ...refs('ACCESS_PROFILE', record.accessProfiles)]
    : [];
}

/** The access that records of a piece refer to. */
export function* refsOfAll(records: readonly (readonly [number, LoadRecord])[]): Generator<AccessRef, void> {
  for (const [, record] of records) yield* refsOf(record);
}
