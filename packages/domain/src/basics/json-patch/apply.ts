import jsonPatch, { type Operation } from 'fast-json-patch';
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

/** The document being patched. Its objects have no prototype, so that no member name is special. */
interface Workspace {
  document: unknown;
  copyableNodes: number;
}

/**
 * Applies a patch according to RFC 6902, completely or not at all. The result shares nothing with the document or the patch,
 * which do not change. `__proto__` and `constructor` are ordinary members. Fails with `IllegalUpdate` (not on the whitelist,
 * checked first), `IllegalValue` (no such target), `Conflict` (a failed test) or `LimitExceeded` (copies too much, nests too
 * deep).
 */
export function applyPatch(document: unknown, patch: Patch, whitelist: PatchWhitelist): Result<unknown, Failure> {
  const admitted = admitPatch(patch, whitelist);
  if (!admitted.ok) return admitted;
  const workspace: Workspace = { document: copyJson(document, null), copyableNodes: PATCH_COPIED_NODES_MAX };
  for (const [index, operation] of patch.entries()) {
    const failed = perform(workspace, operation, `[${index}]`);
    if (failed !== null) return fail(failed);
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

function perform(workspace: Workspace, operation: PatchOperation, at: string): Failure | null {
  switch (operation.op) {
    case 'add':
      return add(workspace, copyJson(operation.value, null), { path: operation.path, at: `${at}.path` });
    case 'remove':
      return remove(workspace, { path: operation.path, at: `${at}.path` });
    case 'replace': {
      if (find(workspace.document, operation.path) === null) return noTarget(`${at}.path`);
      const value = copyJson(operation.value, null);
      return commit(workspace, { op: 'replace', path: formatPointer(operation.path), value });
    }
    case 'test': {
      const found = find(workspace.document, operation.path);
      if (found === null) return noTarget(`${at}.path`);
      return equalJson(found.value, operation.value)
        ? null
        : failure('Conflict', at, 'the value differs from that of the test: read the resource again');
    }
    case 'move':
      return move(workspace, operation, at);
    case 'copy':
      return copy(workspace, operation, at);
  }
}

type Transfer = { readonly path: JsonPointer; readonly from: JsonPointer };

/** Removes, then adds, as RFC 6902 defines it: the indexes of `path` are those after the removal. */
function move(workspace: Workspace, { path, from }: Transfer, at: string): Failure | null {
  const found = find(workspace.document, from);
  if (found === null) return noTarget(`${at}.from`);
  if (isInside(path, from)) return failure('IllegalValue', `${at}.path`, 'must not be inside the value that is moved');
  if (formatPointer(path) === formatPointer(from)) return null;
  return remove(workspace, { path: from, at: `${at}.from` }) ?? add(workspace, found.value, { path, at: `${at}.path` });
}

function copy(workspace: Workspace, { path, from }: Transfer, at: string): Failure | null {
  const found = find(workspace.document, from);
  if (found === null) return noTarget(`${at}.from`);
  workspace.copyableNodes -= countNodes(found.value, workspace.copyableNodes);
  if (workspace.copyableNodes < 0) {
    return failure('LimitExceeded', at, `copies must create at most ${PATCH_COPIED_NODES_MAX} values in all`);
  }
  return add(workspace, copyJson(found.value, null), { path, at: `${at}.path` });
}

/** A place in the document, and its path in the patch. */
type Target = { readonly path: JsonPointer; readonly at: string };

function add(workspace: Workspace, value: unknown, { path, at }: Target): Failure | null {
  const key = path.at(-1);
  if (key !== undefined) {
    const parent = find(workspace.document, path.slice(0, -1))?.value;
    const fits = isArray(parent) ? key === '-' || isIndexBelow(parent.length + 1, key) : isObject(parent);
    if (!fits) return noTarget(at);
  }
  return commit(workspace, { op: 'add', path: formatPointer(path), value });
}

function remove(workspace: Workspace, { path, at }: Target): Failure | null {
  if (path.length === 0) return failure('IllegalValue', at, 'must not be the whole document');
  if (find(workspace.document, path) === null) return noTarget(at);
  return commit(workspace, { op: 'remove', path: formatPointer(path) });
}

/** The value at a pointer; null when the document has no such place. */
function find(document: unknown, pointer: JsonPointer): { readonly value: unknown } | null {
  let value = document;
  for (const token of pointer) {
    if (isArray(value) && isIndexBelow(value.length, token)) value = value[Number(token)];
    else if (isObject(value) && Object.hasOwn(value, token)) value = value[token];
    else return null;
  }
  return { value };
}

const isIndexBelow = (end: number, token: string) => /^(?:0|[1-9][0-9]*)$/.test(token) && Number(token) < end;

const noTarget = (at: string) => failure('IllegalValue', at, 'must point to a place that exists in the resource');

/** Applies a step that is known to be applicable. The ban on `__proto__` is off: objects here have no prototype. */
function commit(workspace: Workspace, step: Operation): null {
  try {
    workspace.document = jsonPatch.applyOperation(workspace.document, step, false, true, false).newDocument;
  } catch {
    // Errors of fast-json-patch contain the whole document, which must not be logged.
    throw new Error(`fast-json-patch failed to ${step.op} at a place that was proven to be there`);
  }
  return null;
}
