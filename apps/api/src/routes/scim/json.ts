import { fail, isObject, ok, type Result } from '@access-admin/domain';
import { type BrokenRule, brokenRule } from './errors.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const asObject = (value: unknown): JsonObject | null => (isObject(value) ? value : null);

/** The property of an object, whose name SCIM compares without case. */
export function propertyOf(object: JsonObject, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name];
  const small = name.toLowerCase();
  return Object.entries(object).find(([key]) => key.toLowerCase() === small)?.[1];
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Some directories send texts, such as `"True"`. */
export function booleanOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string' || !/^(?:true|false)$/i.test(value)) return null;
  return value.toLowerCase() === 'true';
}

/** An operation of a PATCH. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  /** Null where the value has the names of the attributes. */
  readonly path: string | null;
  /** Undefined where it is left out. */
  readonly value: unknown;
}

const OPS = ['add', 'remove', 'replace'] as const;

/** The operations of a PATCH; some directories capitalise `op`. */
export function parsePatch(body: unknown): Result<readonly PatchOperation[], BrokenRule> {
  const object = asObject(body);
  const given = object === null ? undefined : propertyOf(object, 'Operations');
  if (!Array.isArray(given) || given.length === 0)
    return fail(brokenRule('invalidSyntax', 'Operations must be an array of operations.'));
  const operations: PatchOperation[] = [];
  for (const each of given) {
    const operation = asObject(each) ?? {};
    const named = String(propertyOf(operation, 'op') ?? '').toLowerCase();
    const op = OPS.find((known) => known === named);
    if (op === undefined) return fail(brokenRule('invalidSyntax', 'op must be add, remove or replace.'));
    const path = propertyOf(operation, 'path') ?? null;
    if (path !== null && typeof path !== 'string') return fail(brokenRule('invalidPath', 'A path must be a text.'));
    const value = propertyOf(operation, 'value');
    if (op !== 'remove' && value === undefined)
      return fail(brokenRule('invalidValue', `An operation ${op} needs a value.`));
    operations.push({ op, path: path === '' ? null : path, value });
  }
  return ok(operations);
}
