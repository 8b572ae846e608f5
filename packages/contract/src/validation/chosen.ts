import type { GenericSchema, InferOutput } from 'valibot';

/**
 * A schema that documents describe as `documented`, and that validates an input by what `choose` returns for it. A union would
 * report only that no form fits.
 */
export const chosen = <S extends GenericSchema>(
  documented: S,
  choose: (input: unknown) => GenericSchema<unknown, InferOutput<S>>,
): S => ({ ...documented, '~run': (dataset, config) => choose(dataset.value)['~run'](dataset, config) });

/** A schema that validates as `schema`, and that documents describe as `documented`, which takes all that `schema` takes. */
export const describedAs = <S extends GenericSchema>(documented: GenericSchema, schema: S): S => ({
  ...schema,
  ...documented,
  '~run': (dataset, config) => schema['~run'](dataset, config),
});
