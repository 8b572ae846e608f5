import { type Identity, textOfMissing } from '../access/model/records.ts';
import { SOURCES_MAX, TOO_MANY_SOURCES } from '../access/sources/source.ts';
import type { Caller } from '../administration/authorization.ts';
import { validateCapabilityChange } from '../administration/capability.ts';
import { foldUid } from '../administration/fold-uid.ts';
import { validateSignInNameChange, validateVerificationChange } from '../administration/protected-identity.ts';
import type { Failure } from '../basics/result/failure.ts';
import { CAUSES_MAX, failureOf, type Issue, issuesOf } from '../basics/result/issue.ts';
import { textOfApplied } from '../governance/controls/change.ts';
import { validateSodPolicy } from '../policies/validation.ts';
import type { InPieces } from './in-pieces.ts';
import type { ImportBase, ImportRecord, RecordRef, StoredKind } from './records.ts';
import {
  isDeletion,
  KIND_OF_ACCESS,
  type LastRecords,
  pathOfReference,
  recordKey,
  visitRequired,
} from './references.ts';
import { validateSetting } from './settings.ts';

/** An import with the stored data that it is validated against. */
export interface ImportCase {
  readonly records: readonly ImportRecord[];
  readonly last: LastRecords;
  readonly base: ImportBase;
  readonly caller: Caller;
}

/** Returns the issues of the first of four checks that fails: illegal lines, missing references, rights, conflicts. */
export function* validateImport(importCase: ImportCase): InPieces<Failure | null> {
  for (const check of [illegalLines, missingReferences, forbiddenChanges, conflicts]) {
    const failure = yield* failureIn(check(importCase));
    if (failure !== null) return failure;
  }
  return null;
}

/** Yields the issues of an import, and null after each record, where the work may pause. */
type Check = Generator<Issue | null>;

function* failureIn(check: Check): InPieces<Failure | null> {
  const issues: Issue[] = [];
  for (const issue of check) {
    if (issue === null) yield;
    else if (issues.push(issue) === CAUSES_MAX) break;
  }
  return failureOf(issues);
}

function* conflicts(importCase: ImportCase): Check {
  yield* deletesInUse(importCase);
  yield* lossOfLastOrgAdmin(importCase);
  yield* sharedUids(importCase);
  yield* tooManySources(importCase);
}

const onLine = (line: number, at: string): string => (at === '' ? `line ${line}` : `line ${line}: ${at}`);

/** Validates every line, even if a later line replaces its record. */
function* illegalLines({ records }: ImportCase): Check {
  for (const { line, record } of records) {
    yield null;
    const illegal = validateRecord(record);
    if (illegal === null) continue;
    yield* issuesOf(illegal).map((issue) => ({ ...issue, at: onLine(line, issue.at) }));
  }
}

function validateRecord(record: ImportRecord['record']): Failure | null {
  if (isDeletion(record)) return null;
  return record.kind === 'sodPolicy' ? validateSodPolicy(record) : validateSetting(record);
}

function* missingReferences({ last, base }: ImportCase): Check {
  for (const { line, record } of last.inOrder) {
    yield null;
    if (isDeletion(record)) continue;
    const issues: Issue[] = [];
    visitRequired(record, (kind, id, field, index) => {
      if (existsAfter(last, base, { kind, id })) return;
      const at = onLine(line, pathOfReference(field, index));
      issues.push({ type: 'ReferenceNotFound', at, text: textOfMissing(kind, id) });
    });
    yield* issues;
  }
}

/** True if a record exists after the import. */
export function existsAfter(
  last: LastRecords,
  { existing }: ImportBase,
  { kind, id }: { readonly kind: StoredKind; readonly id: string },
): boolean {
  const given = last.find(kind, id);
  return given === undefined ? existing[kind].has(id) : !isDeletion(given.record);
}

interface IdentityChange {
  readonly at: string;
  readonly id: string;
  readonly before: Identity['capabilities'];
  readonly after: Identity['capabilities'];
}

function* capabilityChanges({ last, base }: ImportCase): Generator<IdentityChange | null> {
  for (const { line, record } of last.inOrder) {
    yield null;
    if (record.kind !== 'identity') continue;
    const before = base.stored.identity.get(record.id)?.capabilities ?? [];
    if (isDeletion(record)) yield { at: onLine(line, ''), id: record.id, before, after: [] };
    else yield { at: onLine(line, 'capabilities'), id: record.id, before, after: record.capabilities ?? before };
  }
}

function* forbiddenCapabilityChanges(importCase: ImportCase): Check {
  const { caller } = importCase;
  for (const change of capabilityChanges(importCase)) {
    if (change === null) {
      yield null;
      continue;
    }
    const { at, id, before, after } = change;
    const forbidden = validateCapabilityChange({ before, after, targetId: id, caller, channel: 'IMPORT', at });
    if (forbidden !== null) yield* issuesOf(forbidden);
  }
}

/** Reports a path only once, for its capabilities or else for its sign-in. */
function* forbiddenChanges(importCase: ImportCase): Check {
  const refused = new Set<string>();
  for (const issue of forbiddenCapabilityChanges(importCase)) {
    if (issue !== null) refused.add(issue.at);
    yield issue;
  }
  for (const issue of forbiddenSignInChanges(importCase)) if (issue === null || !refused.has(issue.at)) yield issue;
}

/** Protects the attributes by which sign-in recognizes the caller's own identity and identities with more rights. */
function* forbiddenSignInChanges({ last, base, caller }: ImportCase): Check {
  for (const { line, record } of last.inOrder) {
    yield null;
    const at = (property = '') => onLine(line, property);
    if (record.kind === 'identity') {
      const before = base.stored.identity.get(record.id);
      if (before === undefined) continue;
      const after = isDeletion(record) ? null : record;
      const forbidden = validateSignInNameChange({ targetId: record.id, before, after, caller, at });
      if (forbidden !== null) yield* issuesOf(forbidden);
    }
    if (record.kind === 'identityProfile' && !isDeletion(record)) {
      const before = base.stored.identityProfile.get(record.id)?.authProfile;
      const members = base.profileMembers.get(record.id);
      if (before === undefined || members === undefined) continue;
      const after = { ...before, ...record.authProfile };
      const path = (property: string) => at(`authProfile.${property}`);
      const forbidden = validateVerificationChange({ before, after, members, caller, at: path });
      if (forbidden !== null) yield* issuesOf(forbidden);
    }
  }
}

/** Covers untouched records and the access that identities keep; references of upserted records are validated before. */
function* deletesInUse({ last, base }: ImportCase): Check {
  const userByKey = new Map<string, RecordRef>();
  for (const { from, to } of base.inUse) userByKey.set(recordKey(to), from);
  for (const { record } of last.inOrder) {
    yield null;
    if (record.kind !== 'identity' || isDeletion(record) || record.access !== undefined) continue;
    for (const { type, id } of base.stored.identity.get(record.id)?.access ?? []) {
      userByKey.set(recordKey({ kind: KIND_OF_ACCESS[type], id }), { kind: 'identity', id: record.id });
    }
  }
  for (const { line, record } of last.inOrder) {
    yield null;
    const isApplied = record.kind === 'control' && isDeletion(record) && base.appliedControls.has(record.id);
    if (isApplied) yield { type: 'Conflict', at: onLine(line, ''), text: textOfApplied(record.id) };
    const user = isDeletion(record) ? userByKey.get(recordKey(record)) : undefined;
    if (user === undefined) continue;
    const text = `${record.kind} ${record.id} is still in use, by ${user.kind} ${user.id} among others: delete or change these first`;
    yield { type: 'Conflict', at: onLine(line, ''), text };
  }
}

/** A uid is unique within its tenant regardless of case, because people sign in with it. */
function* sharedUids({ last, base }: ImportCase): Check {
  const idByUid = new Map<string, string>();
  for (const { line, record } of last.inOrder) {
    yield null;
    if (record.kind !== 'identity' || isDeletion(record)) continue;
    const uid = foldUid(record.uid);
    const other = base.uidHolders.get(uid) ?? idByUid.get(uid);
    idByUid.set(uid, record.id);
    if (other === undefined) continue;
    const text = `the identity ${other} has this uid already: a uid is unique within its tenant, whatever its case. Give one of the two another uid`;
    yield { type: 'Conflict', at: onLine(line, 'uid'), text };
  }
}

function* tooManySources({ last, base }: ImportCase): Check {
  const isStored = (id: string) => base.stored.source.has(id);
  let room = SOURCES_MAX - base.sourceCount;
  for (const { record } of last.inOrder) {
    if (record.kind === 'source' && isDeletion(record)) room += Number(isStored(record.id));
    yield null;
  }
  for (const { line, record } of last.inOrder) {
    yield null;
    if (record.kind !== 'source' || isDeletion(record) || isStored(record.id)) continue;
    if (--room < 0) yield { type: 'Conflict', at: onLine(line, ''), text: TOO_MANY_SOURCES };
  }
}

/** Applications may leave a tenant without an active administrator, to set up or remove a tenant. */
function* lossOfLastOrgAdmin({ last, base, caller }: ImportCase): Check {
  if (caller.identityId === null || base.otherOrgAdmins) return;
  const lost: string[] = [];
  for (const { line, record } of last.inOrder) {
    yield null;
    if (record.kind !== 'identity') continue;
    const stored = base.stored.identity.get(record.id);
    const { active = stored?.active ?? true, capabilities = stored?.capabilities ?? [] } = isDeletion(record)
      ? { active: false, capabilities: [] }
      : record;
    const isAdmin = capabilities.includes('ORG_ADMIN');
    if (isAdmin && active) return;
    if (stored?.active === true && stored.capabilities.includes('ORG_ADMIN'))
      lost.push(onLine(line, isDeletion(record) ? '' : isAdmin ? 'active' : 'capabilities'));
  }
  const text = 'would leave the tenant without an active ORG_ADMIN: give ORG_ADMIN to another identity first';
  for (const at of lost) yield { type: 'Conflict', at, text };
}
