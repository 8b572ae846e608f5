import { toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { documentedOf } from './chosen.ts';
import { forGenerators } from './generator-schema.ts';
import type { NamedSchemas } from './named-schema.ts';

const refTo = (name: string) => `#/components/schemas/${name}`;

type Json = Readonly<Record<string, unknown>>;

/** The reference to a schema that has a name. */
function refOf(schema: GenericSchema, names: NamedSchemas): Json | null {
  const name = Object.keys(names).find((key) => names[key] === schema);
  return name === undefined ? null : { $ref: refTo(name) };
}

/**
 * Converts a schema to JSON Schema, with a reference in place of each schema that has a name. Rules that JSON Schema cannot
 * express are left out.
 */
export function jsonSchema(schema: GenericSchema, typeMode: 'input' | 'output', names: NamedSchemas = {}): Json {
  const named = refOf(schema, names);
  if (named !== null) return named;
  const {
    $schema: _,
    $defs: __,
    ...described
  } = toJsonSchema(schema, {
    definitions: { ...names },
    overrideRef: ({ referenceId }) => (Object.hasOwn(names, referenceId) ? refTo(referenceId) : undefined),
    target: 'draft-2020-12',
    // The last schema of a pipe describes it; one before it only guards.
    typeMode: 'output',
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema: converted, definitions, referenceMap }) => {
      // Stands where it is used: generators name what has a reference.
      if (valibotSchema.type === 'lazy') return { ...definitions[referenceMap.get(documentedOf(valibotSchema)) ?? ''] };
      if (valibotSchema.type === 'custom') return { type: 'object', additionalProperties: { type: 'string' } };
      // Later versions may add properties to a response: callers must not rely on their absence.
      if (typeMode === 'output' && valibotSchema.type === 'strict_object') {
        const { additionalProperties: _, ...open } = converted;
        return open;
      }
      return valibotSchema.type === 'variant'
        ? { ...converted, ...discriminatorOf(valibotSchema, converted.oneOf) }
        : undefined;
    },
    overrideAction: ({ valibotAction, jsonSchema: converted }) =>
      valibotAction.type === 'max_code_points' && 'requirement' in valibotAction
        ? { ...converted, maxLength: Number(valibotAction.requirement) }
        : undefined,
  });
  return rewritten(described) as Json;
}

/** Rewrites each part of a schema for client generators. */
function rewritten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewritten);
  if (typeof value !== 'object' || value === null) return value;
  const parts: Json = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rewritten(each)]));
  return '$ref' in parts ? parts : forGenerators(parts);
}

/** OpenAPI allows a discriminator only if each form is a named schema. */
function discriminatorOf(variant: object, forms: readonly unknown[] = []): Json {
  const { key, options }: Variant = Object(variant);
  const refs = forms.map((form) => String(Object(form).$ref));
  if (!refs.every((ref) => ref.startsWith(refTo('')))) return {};
  const mapping = options.flatMap(({ entries: { [key]: selector } }, index) =>
    [selector?.options ?? selector?.literal].flat().map((value) => [value, refs[index]]),
  );
  return { discriminator: { propertyName: key, mapping: Object.fromEntries(mapping) } };
}

interface Variant {
  readonly key: string;
  readonly options: readonly { readonly entries: Readonly<Record<string, Selector>> }[];
}

/** The schema of a form's discriminator property. */
interface Selector {
  readonly literal?: string;
  readonly options?: readonly string[];
}
