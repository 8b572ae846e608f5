import { drawOne, type Random } from '../campaign/random.ts';
import type { Schema } from '../http/json-schema.ts';

/** The source of drawn values. */
export interface Source {
  readonly random: Random;
  /** Values that exist in the service, by the name of a property or parameter. */
  readonly known: Readonly<Record<string, readonly unknown[]>>;
}

const INSTANTS = ['2026-11-21T09:30:00.000Z', '2096-02-29T23:59:59+01:00'];
const TEXTS = ['a', 'Ada L.', 'https://app.example.com', 'ä漢😀', "x'y", '0', 'null', ...INSTANTS];
const ANY = [null, true, 0, 'x', [], {}];
const RANGE_MAX = 2 ** 31 - 1;

/** Draws a value that a schema allows, usually one of the known values of its name. */
export function drawJson(schema: Schema, source: Source, name = ''): unknown {
  const { random, known } = source;
  const own = Object.hasOwn(known, name) ? known[name] : undefined;
  const { oneOf, anyOf = oneOf, enum: values, type, minimum = 0, maximum = 1000, pattern = '' } = schema;
  if ('const' in schema) return schema.const;
  if (own !== undefined && random(10) < 9) return drawOne(random, own);
  if (values !== undefined) return drawOne(random, values);
  if (anyOf !== undefined) return drawJson(drawOne(random, anyOf), source, name);
  if (type === 'object') return drawObject(schema, source);
  if (type === 'array') return drawArray(schema, source, name);
  if (type === 'string')
    return drawOne(
      random,
      TEXTS.filter((text) => new RegExp(pattern).test(text)),
    );
  if (type === 'integer' || type === 'number') return minimum + random(Math.min(maximum - minimum + 1, RANGE_MAX));
  if (type === 'boolean') return random(2) === 0;
  return type === 'null' ? null : drawOne(random, ANY);
}

function drawObject({ properties = {}, required = [], additionalProperties }: Schema, source: Source): unknown {
  const { random } = source;
  const members = Object.entries(properties)
    .filter(([name]) => required.includes(name) || random(2) === 0)
    .map(([name, schema]) => [name, drawJson(schema, source, name)] as const);
  if (typeof additionalProperties !== 'object') return Object.fromEntries(members);
  const further = Array.from(
    { length: random(4) },
    (_, at) => [`key ${at}`, drawJson(additionalProperties, source)] as const,
  );
  return Object.fromEntries([...members, ...further]);
}

function drawArray({ items = {}, minItems = 0, maxItems = 4 }: Schema, source: Source, name: string): unknown {
  const length = minItems + source.random(Math.max(1, Math.min(maxItems, minItems + 4) - minItems + 1));
  return Array.from({ length }, () => drawJson(items, source, `${name}[]`));
}
