import { type Failure, failure } from '../result/failure.ts';
import { failureOf, type Issue } from '../result/issue.ts';
import { fail, ok, type Result } from '../result/result.ts';
import { type JsonPointer, parsePointer } from './pointer.ts';
import { isArray, isDeeperThan, isObject } from './value.ts';

/** One operation of a JSON Patch (RFC 6902), its pointers parsed. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: JsonPointer; readonly value: unknown }
  | { readonly op: 'test'; readonly path: JsonPointer; readonly value: unknown }
  | { readonly op: 'move' | 'copy'; readonly path: JsonPointer; readonly from: JsonPointer }
  | { readonly op: 'remove'; readonly path: JsonPointer };

/** A well-formed JSON Patch, not yet compared with any document. */
export type Patch = readonly PatchOperation[];

/** The most operations that one patch can have. */
export const PATCH_OPERATIONS_MAX = 100;

/** The deepest nesting of arrays and objects in a value of a patch and in a patched document. */
export const PATCH_DEPTH_MAX = 32;

/** The operations of RFC 6902. */
export const PATCH_OPS = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;

type Parsed<T> = Result<T, Issue>;

/**
 * Parses a JSON Patch from a JSON value; unknown members of an operation are ignored. Fails with `MalformedBody`,
 * `RequiredMissing`, `IllegalValue`, `IllegalUpdate` (not a JSON Pointer) or `LimitExceeded`; causes name the first issue of
 * each operation.
 */
export function parsePatch(body: unknown): Result<Patch, Failure> {
  if (!isArray(body))
    return fail(
      failure(
        'MalformedBody',
        '',
        'must be an array of operations, such as [{"op": "replace", "path": "/name", "value": "x"}]',
      ),
    );
  if (body.length > PATCH_OPERATIONS_MAX) {
    return fail(failure('LimitExceeded', '', `must have at most ${PATCH_OPERATIONS_MAX} operations`));
  }
  const patch: PatchOperation[] = [];
  const issues: Issue[] = [];
  for (const [index, item] of body.entries()) {
    const operation = parseOperation(item, `[${index}]`);
    if (operation.ok) patch.push(operation.value);
    else issues.push(operation.failure);
  }
  const failed = failureOf(issues);
  return failed === null ? ok(patch) : fail(failed);
}

function parseOperation(item: unknown, at: string): Parsed<PatchOperation> {
  if (!isObject(item)) return issue('IllegalValue', at, 'must be an object');
  const op = parseOp(item, at);
  if (!op.ok) return op;
  const path = parsePointerMember(item, 'path', at);
  if (!path.ok) return path;
  switch (op.value) {
    case 'remove':
      return ok({ op: op.value, path: path.value });
    case 'move':
    case 'copy': {
      const from = parsePointerMember(item, 'from', at);
      return from.ok ? ok({ op: op.value, path: path.value, from: from.value }) : from;
    }
    default: {
      const value = parseValue(item, at);
      return value.ok ? ok({ op: op.value, path: path.value, value: value.value }) : value;
    }
  }
}

function parseOp(item: Readonly<Record<string, unknown>>, at: string): Parsed<(typeof PATCH_OPS)[number]> {
  const given = parseMember(item, 'op', at);
  if (!given.ok) return given;
  const op = PATCH_OPS.find((name) => name === given.value);
  return op === undefined ? issue('IllegalValue', `${at}.op`, `must be one of ${PATCH_OPS.join(', ')}`) : ok(op);
}

function parsePointerMember(
  item: Readonly<Record<string, unknown>>,
  name: 'path' | 'from',
  at: string,
): Parsed<JsonPointer> {
  const given = parseMember(item, name, at);
  if (!given.ok) return given;
  if (typeof given.value !== 'string') return issue('IllegalValue', `${at}.${name}`, 'must be a string');
  const pointer = parsePointer(given.value);
  return pointer === null
    ? issue('IllegalUpdate', `${at}.${name}`, 'must be a JSON Pointer, such as /capabilities/0')
    : ok(pointer);
}

function parseValue(item: Readonly<Record<string, unknown>>, at: string): Parsed<unknown> {
  const given = parseMember(item, 'value', at);
  return given.ok && isDeeperThan(given.value, PATCH_DEPTH_MAX)
    ? issue('LimitExceeded', `${at}.value`, `must not be nested deeper than ${PATCH_DEPTH_MAX} levels`)
    : given;
}

/** Reads own members only: `constructor` is not a member of `{}`. */
function parseMember(item: Readonly<Record<string, unknown>>, name: string, at: string): Parsed<unknown> {
  const value = Object.hasOwn(item, name) ? item[name] : undefined;
  return value === undefined ? issue('RequiredMissing', `${at}.${name}`, 'is required') : ok(value);
}

const issue = (type: Issue['type'], at: string, text: string) => fail<Issue>({ type, at, text });
