import { type Failure, failure } from '../result/failure.ts';
import { fail, type Result } from '../result/result.ts';
import { applyPatch, parseAllowedPatch } from './apply.ts';
import type { Patch } from './parse.ts';
import type { JsonPointer } from './pointer.ts';
import { isObject } from './value.ts';

/**
 * What a patch may do to a field: nothing (`readOnly`), change it and what is below it (`required`, `optional`), replace it as a
 * whole (`scalar`, `nullable`), or change it and its items, each as a whole (`list`). A `required` or `scalar` field must not be
 * removed. A `nullable` field or `list` that is removed is null, and `emptied`, which is else as `optional`, an empty array: at
 * once, so that the operations after the removal find it.
 */
export type PatchRule = 'readOnly' | 'required' | 'optional' | 'emptied' | 'scalar' | 'nullable' | 'list';

/** The rule of every field of a resource. */
export type PatchRules<T> = { readonly [K in keyof T]-?: PatchRule };

/** The fields that a patch may change under these rules. */
export type PatchableField<R extends Readonly<Record<string, PatchRule>>> = keyof {
  [K in keyof R as R[K] extends 'readOnly' ? never : K]: K;
} &
  string;

/** The fields of a resource after a patch; of those that it removed the `optional` ones are left out. */
export type PatchedFields = Readonly<Record<string, unknown>>;

/** The patches of one kind of resource. */
export interface ResourcePatch<T, R> {
  /** Parses a patch: its shape, and that it touches only what may be changed. Needs no resource. */
  parse(body: unknown): Result<Patch, Failure>;
  /**
   * Applies a patch to the fields of a resource that have a rule; those that it leaves out are null. Fails as `applyPatch` does,
   * with `IllegalValue` for a field that must not be removed, and as the schema does for the result.
   */
  apply(resource: { readonly [K in keyof T]?: unknown }, patch: Patch): Result<R, Failure>;
  /** Replaces the fields that an update has. One whose type lacks a field of the resource does not compile. */
  replace<U extends object>(
    resource: { readonly [K in keyof T]?: unknown },
    update: U & { readonly [K in Exclude<keyof T, keyof U>]: never },
  ): Result<R, Failure>;
}

const DEPTHS = {
  readOnly: -1,
  required: Infinity,
  optional: Infinity,
  emptied: Infinity,
  scalar: 0,
  nullable: 0,
  list: 1,
} as const;

/** What is left of a removed field. */
const EMPTY: { readonly [R in PatchRule]?: null | readonly never[] } = { emptied: [], nullable: null, list: null };

/** The patches of a resource, whose schema validates what they leave. Without its type or a rule of a field it does not compile. */
export function patchResource<T = never, R = PatchedFields>(
  schema: (fields: PatchedFields) => Result<R, Failure>,
  rules: PatchRules<NoInfer<T>>,
): ResourcePatch<T, R> {
  const ruleOf = new Map<string, PatchRule>(Object.entries(rules));
  const isAllowed = ([name = '', ...below]: JsonPointer) => {
    const rule = ruleOf.get(name);
    return rule !== undefined && below.length <= DEPTHS[rule];
  };
  const emptyOf = ([name = '', ...below]: JsonPointer) => {
    const rule = ruleOf.get(name);
    return rule === undefined || below.length > 0 ? undefined : EMPTY[rule];
  };
  const apply = (resource: object, patch: Patch) => {
    const given = new Map<string, unknown>(Object.entries(resource));
    const document = Object.fromEntries([...ruleOf.keys()].map((name) => [name, given.get(name) ?? null]));
    const patched = applyPatch(document, patch, { isAllowed, emptyOf });
    if (!patched.ok) return patched;
    const fields = isObject(patched.value) ? patched.value : {};
    for (const [name, rule] of ruleOf)
      if ((rule === 'required' || rule === 'scalar') && !Object.hasOwn(fields, name))
        return fail(failure('IllegalValue', name, 'must not be removed'));
    return schema(fields);
  };
  return {
    parse: (body) => parseAllowedPatch(body, { isAllowed }),
    apply,
    replace: (resource, update) =>
      apply(
        resource,
        Object.entries(update).map(([name, value]) => ({ op: 'replace', path: [name], value })),
      ),
  };
}
