import { type Failure, fail, failure, isResourceId, type Result } from '@access-admin/domain';
import * as v from 'valibot';
import { recordId } from '../validation/fields.ts';
import { illegal, validate } from '../validation/validate.ts';

/** Schemas of parameters in a path, by name. Documents describe their output. */
export type PathParameters = Readonly<Record<string, v.GenericSchema<string, unknown>>>;

/** An id in a path. */
export const pathId = (what: string) =>
  v.pipe(recordId, v.description(`${what} One that does not exist is answered with 404.`));

/** A whole number in a path, from 1 on. */
export function pathNumber(max: number, rule: string) {
  const message = illegal(rule);
  return v.pipe(
    v.string(),
    v.regex(/^[1-9]\d*$/, message),
    v.transform(Number),
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(max, message),
  );
}

/** The parser of what an operation has in its path. A text that cannot be an id names no resource, and is refused first. */
export function createPathParser({ params }: { readonly params: PathParameters }) {
  const schema = v.looseObject(params);
  return (given: Readonly<Record<string, string>>): Result<unknown, Failure> =>
    Object.values(given).every(isResourceId) ? validate(schema, given) : NO_RESOURCE;
}

const NO_RESOURCE = fail(failure('NotFound', '', 'There is no such resource.'));
