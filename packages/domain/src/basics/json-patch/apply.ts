import jsonPatch from 'fast-json-patch';
import { type Failure, failure } from '../result/failure.ts';
import { failureOf, type Issue } from '../result/issue.ts';
import { fail, ok, type Result } from '../result/result.ts';
import { PATCH_DEPTH_MAX, type Patch, type PatchOperation, parsePatch } from './parse.ts';
import { formatPointer, isInside, type JsonPointer } from './pointer.ts';
import { copyJson, countNodes, equalJson, isArray, isDeeperThan, isObject } from './value.ts';

/** The most values (strings, numbers, objects, …) that the copy operations of one patch can create. */
export const PATCH_COPIED_NODES_MAX = 1_000;

/** What a patch may touch: `isAllowed` is called for every `path` and `from`, including those of a `test` and the root. */
export interface PatchWhitelist {
  readonly isAllowed: (pointer: JsonPointer) => boolean;
}

/** What a patch may touch, and what it leaves where it removes. */
export interface PatchTarget extends PatchWhitelist {
  /** The value that takes the place of a removed one; undefined, or left out, where the place itself goes. */
  readonly emptyOf?: (pointer: JsonPointer) => unknown;
}

/** The document being patched. Its objects have no prototype, so that no member name is special. */
interface Workspace {
  document: unknown;
  copyableNodes: number;
  readonly emptyOf: (pointer: JsonPointer) => unknown;
}

/**
 * Applies a patch according to RFC 6902, completely or not at all. The result shares nothing with the document or the patch,
 * which do not change. `__proto__` and `constructor` are ordinary members. Fails with `IllegalUpdate` (not on the whitelist,
 * checked first), `IllegalValue` (no such target), `Conflict` (a failed test) or `LimitExceeded` (copies too much, nests too
 * deep).
 */
export function applyPatch(document: unknown, patch: Patch, target: PatchTarget): Result<unknown, Failure> {
  const admitted = admitPatch(patch, target);
  if (!admitted.ok) return admitted;
  const workspace: Workspace = {
    document: copyJson(document, null),
    copyableNodes: PATCH_COPIED_NODES_MAX,
    emptyOf: target.emptyOf ?? (() => undefined),
  };
  for (const [index, operation] of patch.entries()) {
    const refused = apply(workspace, operation, `[${index}]`);
    if (refused !== null) return fail(refused);
  }
  // Moves and copies can nest deeply, and copying the document recurses.
  if (isDeeperThan(workspace.document, PATCH_DEPTH_MAX)) {
    return fail(failure('LimitExceeded', '', `must not nest the resource deeper than ${PATCH_DEPTH_MAX} levels`));
  }
  return ok(copyJson(workspace.document, Object.prototype));
}

/** Parses a patch as `parsePatch` does, and fails with `IllegalUpdate` if the whitelist does not allow it. Needs no document. */
export function parseAllowedPatch(body: unknown, whitelist: PatchWhitelist): Result<Patch, Failure> {
  const patch = parsePatch(body);
  return patch.ok ? admitPatch(patch.value, whitelist) : patch;
}

function admitPatch(patch: Patch, { isAllowed }: PatchWhitelist): Result<Patch, Failure> {
  const issues: Issue[] = [];
  const admit = (pointer: JsonPointer, at: string) => {
    if (!isAllowed(pointer))
      issues.push({ type: 'IllegalUpdate', at, text: 'must point to a field that may be modified' });
  };
  for (const [index, operation] of patch.entries()) {
    admit(operation.path, `[${index}].path`);
    if ('from' in operation) admit(operation.from, `[${index}].from`);
  }
  const illegal = failureOf(issues);
  return illegal === null ? ok(patch) : fail(illegal);
}

function apply(workspace: Workspace, operation: PatchOperation, at: string): Failure | null {
  if ('from' in operation) return transfer(workspace, operation, at);
  if (operation.op !== 'test') return perform(workspace, operation, `${at}.path`);
  // fast-json-patch cannot compare objects without a prototype.
  const value = valueAt(workspace.document, operation.path);
  if (value === undefined) return noTarget(`${at}.path`);
  return equalJson(value, operation.value)
    ? null
    : failure('Conflict', at, 'the value differs from that of the test: read the resource again');
}

/**
 * Moves by a removal and an addition, and copies by an addition, as RFC 6902 defines both: fast-json-patch bans `__proto__` in
 * its own, and reads the indexes of `path` as those before the removal.
 */
function transfer(
  workspace: Workspace,
  { op, path, from }: Extract<PatchOperation, { readonly from: JsonPointer }>,
  at: string,
): Failure | null {
  const value = valueAt(workspace.document, from);
  if (value === undefined) return noTarget(`${at}.from`);
  if (op === 'move') {
    if (isInside(path, from))
      return failure('IllegalValue', `${at}.path`, 'must not be inside the value that is moved');
    if (formatPointer(path) === formatPointer(from)) return null;
    const refused = perform(workspace, { op: 'remove', path: from }, `${at}.from`);
    if (refused !== null) return refused;
  } else {
    workspace.copyableNodes -= countNodes(value, workspace.copyableNodes);
    if (workspace.copyableNodes < 0)
      return failure('LimitExceeded', at, `copies must create at most ${PATCH_COPIED_NODES_MAX} values in all`);
  }
  return perform(workspace, { op: 'add', path, value }, `${at}.path`);
}

type Step = Extract<PatchOperation, { readonly op: 'add' | 'replace' | 'remove' }>;

/** Has fast-json-patch perform a step whose target is there. Its own checks admit indexes such as `01`. */
function perform(workspace: Workspace, step: Step, at: string): Failure | null {
  const { document, emptyOf } = workspace;
  if (step.op === 'remove' && step.path.length === 0)
    return failure('IllegalValue', at, 'must not be the whole document');
  if (!(step.op === 'add' ? canAdd(document, step.path) : valueAt(document, step.path) !== undefined))
    return noTarget(at);
  const path = formatPointer(step.path);
  const left = step.op === 'remove' ? emptyOf(step.path) : step.value;
  const operation =
    step.op === 'remove' && left === undefined
      ? { op: step.op, path }
      : { op: step.op === 'add' ? step.op : ('replace' as const), path, value: copyJson(left, null) };
  // Its ban on `__proto__` is off: objects here have no prototype.
  workspace.document = jsonPatch.applyOperation(document, operation, false, true, false).newDocument;
  return null;
}

function canAdd(document: unknown, path: JsonPointer): boolean {
  const key = path.at(-1);
  if (key === undefined) return true;
  const parent = valueAt(document, path.slice(0, -1));
  return isArray(parent) ? key === '-' || isIndexBelow(parent.length + 1, key) : isObject(parent);
}

/** The value at a pointer; undefined when the document has no such place. */
function valueAt(document: unknown, pointer: JsonPointer): unknown {
  let value = document;
  for (const token of pointer) {
    if (isArray(value) && isIndexBelow(value.length, token)) value = value[Number(token)];
    else if (isObject(value) && Object.hasOwn(value, token)) value = value[token];
    else return undefined;
  }
  return value;
}

const isIndexBelow = (end: number, token: string) => /^(?:0|[1-9][0-9]*)$/.test(token) && Number(token) < end;

const noTarget = (at: string) => failure('IllegalValue', at, 'must point to a place that exists in the resource');
