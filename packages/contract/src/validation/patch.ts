import {
  type PatchableField,
  type PatchRule,
  type PatchRules,
  patchResource,
  type ResourcePatch,
} from '@access-admin/domain';
import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import { validate } from './validate.ts';

/** What patches of a resource may do to its fields. */
export interface PatchesByRule {
  readonly rules: Readonly<Record<string, PatchRule>>;
}

/** A field that patches of a resource may change. */
export type PatchFieldOf<P extends PatchesByRule> = PatchableField<P['rules']>;

/**
 * The patches of a resource: a rule for every field of the schema and for nothing else, or it does not compile. The schema
 * validates what a patch leaves.
 */
export const resourcePatch = <S extends GenericSchema, const R extends PatchRules<InferInput<S>>>(
  schema: S,
  rules: R & { readonly [K in Exclude<keyof R, keyof InferInput<S>>]: never },
): ResourcePatch<InferInput<S>, InferOutput<S>> & { readonly rules: R } => ({
  ...patchResource<InferInput<S>, InferOutput<S>>((fields) => validate(schema, fields), rules),
  rules,
});
