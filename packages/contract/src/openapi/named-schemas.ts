import type { GenericSchema } from 'valibot';
import { EVENT_DATA_SCHEMAS } from '../events/resources.ts';
import { cloudEvent } from '../schemas/events.ts';
import { documentedOf } from '../validation/chosen.ts';
import { jsonSchema } from '../validation/json-schema.ts';
import { namedSchemasOf } from '../validation/named-schema.ts';

/** Converts a schema to JSON Schema, or to a `$ref` if it has a name. */
export const referTo = (schema: GenericSchema, typeMode: 'input' | 'output'): Readonly<Record<string, unknown>> =>
  jsonSchema(schema, typeMode, namedSchemasOf(typeMode));

/** The names of a schema, or of each form of a union. */
export function namesOf(schema: GenericSchema, typeMode: 'input' | 'output'): readonly string[] {
  const name = Object.entries(namedSchemasOf(typeMode)).find(([, each]) => each === schema)?.[0];
  if (name !== undefined) return [name];
  const { options = [] }: { readonly options?: readonly GenericSchema[] } = Object(documentedOf(schema));
  return options.flatMap((option) => namesOf(option, typeMode));
}

/** `components.schemas` of the document, except those that no schema defines. */
export function namedSchemas(): Readonly<Record<string, unknown>> {
  const schemas = Object.fromEntries(
    (['input', 'output'] as const).flatMap((typeMode) => {
      const named = namedSchemasOf(typeMode);
      return Object.entries(named).map(([name, schema]) => {
        const { [name]: _, ...others } = named;
        return [name, jsonSchema(schema, typeMode, others)] as const;
      });
    }),
  );
  return { ...schemas, Event: eventSchema({ data: anyEventData() }) };
}

/** The schema of an event, with narrower schemas for some properties. */
export function eventSchema(narrowed: object): Readonly<Record<string, unknown>> {
  const event = Object(jsonSchema(cloudEvent, 'output', {}));
  return { ...event, properties: { ...event.properties, ...narrowed } };
}

/** An object rather than a union of all resources, because generated clients would have to guess which one it is. */
function anyEventData(): Readonly<Record<string, unknown>> {
  const names = [...new Set<string>(Object.values(EVENT_DATA_SCHEMAS)), 'EventReference'];
  const addresses = names.map((name) => `\`#/components/schemas/${name}\``).join(', ');
  return { type: 'object', description: `What \`dataschema\` names: one of ${addresses}.` };
}
