import { type GenericSchema, type InferOutput, type LazySchema, lazy } from 'valibot';

/**
 * A schema that documents describe as `documented`, and that validates an input by what `choose` returns for it. A union would
 * report only that no form fits.
 */
export const chosen = <S extends GenericSchema>(
  documented: S,
  choose: (input: unknown) => GenericSchema<unknown, InferOutput<S>>,
): LazySchema<S> => lazyOf(documented, choose);

/** A schema that validates as `schema`, and that documents describe as `documented`, which takes all that `schema` takes. */
export const describedAs = <S extends GenericSchema>(documented: GenericSchema, schema: S): LazySchema<S> =>
  lazyOf(documented, () => schema);

function lazyOf<S extends GenericSchema>(
  documented: GenericSchema,
  choose: (input: unknown) => GenericSchema,
): LazySchema<S> {
  const described = documentedOf(documented);
  // biome-ignore lint/plugin/type-assertion: The types are those of all inputs; the schema of one input has narrower ones.
  return lazy((input) => (input === undefined ? described : choose(input)) as S);
}

/** The schema that documents describe a schema as: of one that depends on the input, that of no input, which no JSON is. */
export function documentedOf(schema: GenericSchema): GenericSchema {
  const { getter }: { readonly getter?: (input: unknown) => GenericSchema } = 'pipe' in schema ? {} : Object(schema);
  return getter === undefined ? schema : getter(undefined);
}
