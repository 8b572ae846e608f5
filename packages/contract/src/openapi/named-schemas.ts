import type { GenericSchema } from 'valibot';
import { EVENT_DATA_SCHEMAS } from '../events/resources.ts';
import { cloudEvent } from '../schemas/events.ts';
import { jsonSchema } from '../validation/json-schema.ts';
import { namedSchemasOf } from '../validation/named-schema.ts';

/** The schema as the document has it: a reference where it has a name. */
export const referTo = (schema: GenericSchema, typeMode: 'input' | 'output'): Readonly<Record<string, unknown>> =>
  jsonSchema(schema, typeMode, namedSchemasOf(typeMode));

/** The name of a schema, for descriptions of lines. */
export const nameOf = (schema: GenericSchema, typeMode: 'input' | 'output'): string | undefined =>
  Object.entries(namedSchemasOf(typeMode)).find(([, each]) => each === schema)?.[0];

/** `components.schemas` of the document, without the forms that are not made from a schema. */
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
  return { ...schemas, Event: eventSchema(eventDataSchemas()) };
}

/** The schema of an event with data of one of these schemas. */
export function eventSchema(dataSchemas: readonly string[], narrowed: object = {}): Readonly<Record<string, unknown>> {
  const event = Object(jsonSchema(cloudEvent, 'output', {}));
  const data = { anyOf: dataSchemas.map((name) => ({ $ref: `#/components/schemas/${name}` })) };
  return { ...event, properties: { ...event.properties, ...narrowed, data } };
}

/** The schemas of the data of events: of all resources, and of the reference in place of a large one. */
const eventDataSchemas = (): readonly string[] => {
  const names = new Set<string>(Object.values(EVENT_DATA_SCHEMAS));
  return [...names, 'EventReference'];
};
