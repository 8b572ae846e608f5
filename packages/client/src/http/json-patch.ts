import type { PatchesByRule, PatchFieldOf } from '@access-admin/contract';

/** The path of a field of a resource, or of something within it. */
type FieldPath<Field extends string> = `/${Field}` | `/${Field}/${string}`;

/**
 * An operation of RFC 6902 on the fields of a resource, or on any. `path` and `from` are JSON Pointers.
 *
 * @example const operation: JsonPatchOperation<'capabilities'> = { op: 'add', path: '/capabilities/-', value: 'HELPDESK' };
 */
export type JsonPatchOperation<Field extends string = string> =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: FieldPath<Field>; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: FieldPath<Field> }
  | { readonly op: 'copy' | 'move'; readonly path: FieldPath<Field>; readonly from: FieldPath<Field> };

/** A JSON Patch: all of its operations are applied, or none. */
export type JsonPatch<Field extends string = string> = readonly JsonPatchOperation<Field>[];

/** A JSON Patch of what the service lets patches of a resource change. */
export type PatchOf<P extends PatchesByRule> = JsonPatch<PatchFieldOf<P>>;
