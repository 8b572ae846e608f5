import { byId } from '../access/model/sort-by-id.ts';
import { authorOf, type Caller } from '../administration/authorization.ts';
import type { Failure } from '../basics/result/failure.ts';
import { fail, ok, type Result } from '../basics/result/result.ts';
import { deletedItem } from '../governance/lint/finding.ts';
import { IMPORT_WARNINGS_MAX } from '../governance/lint/run.ts';
import { sidesOf } from '../policies/model.ts';
import { type InPieces, runAtOnce } from './in-pieces.ts';
import { focusOfImport } from './lint-focus.ts';
import { planUpserts } from './plan-upserts.ts';
import type { ImportBase, ImportPlan, ImportRecord } from './records.ts';
import { forEachKind, forEachRecordKind, isDeletion, type LastRecords, lastRecords, upsertsOf } from './references.ts';
import { findRepeatedRecords } from './repeated-records.ts';
import { changesSetting, isSet, isSetting, planSettings, type SettingOfPlan } from './settings.ts';
import { unknownItem } from './unknown-items.ts';
import { existsAfter, validateImport } from './validate.ts';

/** An import, the stored data that it depends on, and its caller. `now` is ISO 8601 in UTC with milliseconds. */
export interface ImportRequest {
  readonly records: readonly ImportRecord[];
  readonly base: ImportBase;
  readonly caller: Caller;
  readonly now: string;
}

/**
 * Decides what an import changes: everything or nothing. Fails with the failure of an illegal line, `ReferenceNotFound`,
 * `Forbidden` or `Conflict`, in this order; causes name the lines. A record equal to the stored one counts as unchanged and is
 * not written.
 */
export const planImport = (request: ImportRequest): Result<ImportPlan, Failure> =>
  runAtOnce(planImportInPieces(request));

/** `planImport` for an import that may be large. */
export function* planImportInPieces({
  records,
  base,
  caller,
  now,
}: ImportRequest): InPieces<Result<ImportPlan, Failure>> {
  const last = lastRecords(records);
  const failure = yield* validateImport({ records, last, base, caller });
  if (failure !== null) return fail(failure);
  const settings = planSettings(last, base);

  const upserts = yield* planUpserts({ last, base, now, author: authorOf(caller) });
  const deletes = planDeletes(last, base);
  yield;
  const counts = countRecords(last, base, { upserts, ...settings });
  yield;
  const warnings = findMissingItems(last, base);
  yield;
  return ok({
    upserts,
    deletes,
    ...settings,
    rulebookChanged: RULEBOOK_KINDS.some((kind) => upserts[kind].length + deletes[kind].length > 0),
    counts,
    focus: focusOfImport(last),
    warnings,
    repeated: findRepeatedRecords(records, last),
  });
}

/** The kinds that predictions depend on, besides identities. */
const RULEBOOK_KINDS = ['entitlement', 'accessProfile', 'role', 'sodPolicy'] as const;

function planDeletes(last: LastRecords, { stored }: ImportBase): ImportPlan['deletes'] {
  const deletions = last.inOrder.map(({ record }) => record).filter(isDeletion);
  return forEachKind((kind) =>
    deletions.filter((record) => record.kind === kind && stored[kind].has(record.id)).map(({ id }) => id),
  );
}

function countRecords(
  last: LastRecords,
  base: ImportBase,
  { upserts, ...settings }: Pick<ImportPlan, 'upserts' | SettingOfPlan>,
): ImportPlan['counts'] {
  const none = () => ({ created: 0, updated: 0, deleted: 0, unchanged: 0 });
  const counts = forEachRecordKind(none);
  const changed = forEachKind((kind) => new Set(upserts[kind].map(({ id }) => id)));
  const isChanged = ({ kind, id }: ImportRecord['record']) =>
    isSetting(kind) ? changesSetting(settings, kind) : changed[kind].has(id);
  for (const { record } of last.inOrder) {
    const count = counts[record.kind];
    if (isDeletion(record)) count.deleted += Number(isStored(record, base));
    else if (!isChanged(record)) count.unchanged += 1;
    else count[isStored(record, base) ? 'updated' : 'created'] += 1;
  }
  return counts;
}

function isStored({ kind, id }: ImportRecord['record'], base: ImportBase): boolean {
  return isSetting(kind) ? id === 'tenant' && isSet(base, kind) : base.stored[kind].has(id);
}

/** Warns of items of the imported policies that do not exist, sorted by policy and item, at most 100. */
function findMissingItems(last: LastRecords, base: ImportBase): ImportPlan['warnings'] {
  const missing = upsertsOf(last, 'sodPolicy').flatMap(({ id, conflictingAccessCriteria }) => {
    const items = new Set<string>();
    for (const side of sidesOf(conflictingAccessCriteria))
      for (const item of side.criteriaList)
        if (!existsAfter(last, base, { kind: 'entitlement', id: item.id })) items.add(item.id);
    return items.size === 0 ? [] : [{ id, items }];
  });
  const warnings: ImportPlan['warnings'][number][] = [];
  for (const { id, items } of missing.sort(byId)) {
    warnings.push(...[...items].sort().map((item) => missingItem(last, id, item)));
    if (warnings.length >= IMPORT_WARNINGS_MAX) break;
  }
  return warnings.slice(0, IMPORT_WARNINGS_MAX);
}

/** An item that the import deletes has existed. */
const missingItem = (last: LastRecords, policyId: string, id: string) =>
  last.find('entitlement', id) === undefined ? unknownItem(policyId, id) : deletedItem(policyId, id);
