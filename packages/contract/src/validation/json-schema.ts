import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import type { NamedSchemas } from './named-schema.ts';

const refTo = (name: string) => `#/components/schemas/${name}`;

/**
 * Converts a schema to JSON Schema, with a reference in place of each schema that has a name. Rules that JSON Schema cannot
 * express are left out.
 */
export function jsonSchema(
  schema: GenericSchema,
  typeMode: 'input' | 'output',
  names: NamedSchemas = {},
): Readonly<Record<string, unknown>> {
  const name = Object.keys(names).find((key) => names[key] === schema);
  if (name !== undefined) return { $ref: refTo(name) };
  const {
    $schema: _,
    $defs: __,
    ...described
  } = toJsonSchema(schema, {
    definitions: { ...names },
    overrideRef: ({ referenceId }) => refTo(referenceId),
    target: 'draft-2020-12',
    typeMode,
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema: converted }) => {
      if (valibotSchema.type === 'custom') return { type: 'object', additionalProperties: { type: 'string' } };
      if (typeMode === 'input' && 'entries' in valibotSchema)
        nameItems(valibotSchema.entries as Entries, converted.properties as Properties);
      // Later versions may add properties to a response: callers must not rely on their absence.
      if (typeMode === 'output' && valibotSchema.type === 'strict_object') {
        const { additionalProperties: _, ...open } = converted;
        return open;
      }
      return undefined;
    },
    overrideAction: ({ valibotAction, jsonSchema: converted }) =>
      'lengthMax' in valibotAction ? { ...converted, maxLength: Number(valibotAction.lengthMax) } : undefined,
  });
  return described;
}

type Entries = Readonly<Record<string, GenericSchema>>;
type Properties = Readonly<Record<string, Record<string, unknown>>>;

/** Adds the items of lists whose pipe checks the length before the items: the converter reads the first step only. */
function nameItems(entries: Entries, properties: Properties): void {
  for (const [name, entry] of Object.entries(entries)) {
    const list = 'wrapped' in entry ? (entry.wrapped as GenericSchema) : entry;
    const steps = 'pipe' in list ? (list.pipe as readonly GenericSchema[]) : [];
    const arrayStep = steps.slice(1).find(({ type }) => type === 'array');
    const property = properties[name];
    if (arrayStep !== undefined && 'item' in arrayStep && property !== undefined)
      property['items'] = jsonSchema(arrayStep.item as GenericSchema, 'input');
  }
}
