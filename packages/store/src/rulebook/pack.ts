import { createHash } from 'node:crypto';
import { createBreather } from '../concurrency/breather.ts';
import type { Database, Snapshot } from '../engine/database.ts';
import { tenantScope } from '../engine/scope.ts';
import type { RulebookPackRow } from '../schema/tables.ts';
import { readLog, readPolicyChanges } from './change-log.ts';
import type { RulebookPack, StoredPack } from './versions.ts';

const PART_BYTES = 256 * 1024;

/** An incomplete or damaged pack counts as none. */
export async function loadPack(database: Database, tenant: string): Promise<StoredPack | null> {
  await using snapshot = await database.openSnapshot('load');
  const header = await snapshot.read((db) =>
    db.selectFrom('rulebook_pack').selectAll().where('tenant', '=', tenant).executeTakeFirst(),
  );
  if (header === undefined) return null;
  const version = { policySetVersion: header.policy_set_version, changeId: header.change_id };
  const changes = await readPolicyChanges(snapshot, tenant, version);
  if (changes === null) return null;
  const bytes = await readParts(snapshot, header);
  return bytes === null ? null : { pack: { ...version, bytes }, changes };
}

async function readParts({ read }: Snapshot, { tenant, digest, parts }: RulebookPackRow): Promise<Uint8Array | null> {
  const breathe = createBreather();
  const hash = createHash('sha256');
  // All parts have the same length, except that the last may be shorter.
  let bytes = Buffer.alloc(0);
  let length = 0;
  for (let part = 0; part < parts; part++) {
    const row = await read((db) =>
      db
        .selectFrom('rulebook_pack_part')
        .select('bytes')
        .where('tenant', '=', tenant)
        .where('digest', '=', digest)
        .where('part', '=', part)
        .executeTakeFirst(),
    );
    if (row === undefined) return null;
    if (part === 0) bytes = Buffer.allocUnsafeSlow(row.bytes.length * parts);
    if (length + row.bytes.length > bytes.length) return null;
    hash.update(row.bytes);
    bytes.set(row.bytes, length);
    length += row.bytes.length;
    await breathe();
  }
  return hash.digest('hex') === digest ? bytes.subarray(0, length) : null;
}

/**
 * Parts are stored under the digest of the whole, so that processes that save at the same time do not mix them. The header is
 * written last and makes them valid. Parts without a header are leftovers of an interrupted save.
 */
export async function savePack(database: Database, tenant: string, pack: RulebookPack): Promise<void> {
  const { policySetVersion, changeId, bytes: all } = pack;
  if (changeId === null) return;
  const breathe = createBreather();
  const parts: Uint8Array[] = [];
  const hash = createHash('sha256');
  for (let start = 0; start < all.length; start += PART_BYTES) {
    const part = all.subarray(start, start + PART_BYTES);
    parts.push(part);
    hash.update(part);
    await breathe();
  }
  const digest = hash.digest('hex');
  for (const [part, bytes] of parts.entries()) {
    await database.writeAlone(tenantScope(tenant), (trx) =>
      trx
        .insertInto('rulebook_pack_part')
        .values({ tenant, digest, part, bytes })
        .onConflict((conflict) => conflict.columns(['tenant', 'digest', 'part']).doUpdateSet({ bytes }))
        .execute(),
    );
    await breathe();
  }
  const version = { policy_set_version: policySetVersion, change_id: changeId };
  await writeHeader(database, { tenant, ...version, digest, parts: parts.length });
  await deleteOtherParts(database, tenant);
}

/** Writes nothing when another process has deleted the parts as leftovers, or when the pack is too old to be used. */
async function writeHeader(database: Database, { tenant, ...header }: RulebookPackRow): Promise<void> {
  const version = { policySetVersion: header.policy_set_version, changeId: header.change_id };
  await database.writeAlone(tenantScope(tenant), async (trx) => {
    const { count } = await trx
      .selectFrom('rulebook_pack_part')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('tenant', '=', tenant)
      .where('digest', '=', header.digest)
      .executeTakeFirstOrThrow();
    if (count !== header.parts || (await readLog(trx, tenant, version)) === null) return;
    await trx
      .insertInto('rulebook_pack')
      .values({ tenant, ...header })
      .onConflict((conflict) => conflict.column('tenant').doUpdateSet(header))
      .execute();
  });
}

/** Deletes one part per write, to keep writes short. */
async function deleteOtherParts(database: Database, tenant: string): Promise<void> {
  const parts = await database.read((db) =>
    db.selectFrom('rulebook_pack_part').select(['digest', 'part']).where('tenant', '=', tenant).execute(),
  );
  for (const { digest, part } of parts) {
    await database.writeAlone(tenantScope(tenant), (trx) =>
      trx
        .deleteFrom('rulebook_pack_part')
        .where('tenant', '=', tenant)
        .where('digest', '=', digest)
        .where('part', '=', part)
        .where('digest', 'not in', (eb) => eb.selectFrom('rulebook_pack').select('digest').where('tenant', '=', tenant))
        .execute(),
    );
  }
}
