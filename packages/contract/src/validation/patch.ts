import { type PatchRules, patchResource, type ResourcePatch } from '@access-admin/domain';
import type { GenericSchema, InferOutput } from 'valibot';
import { validate } from './validate.ts';

/** The patches of a resource, under the rules of its fields; the schema validates what a patch leaves. */
export const resourcePatch = <S extends GenericSchema, T>(
  schema: S,
  rules: PatchRules<T>,
): ResourcePatch<T, InferOutput<S>> => patchResource((fields) => validate(schema, fields), rules);
