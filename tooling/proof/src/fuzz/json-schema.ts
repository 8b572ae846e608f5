/** What of JSON Schema the document of the service uses. An unknown word is an error: it would go unchecked. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly $ref?: string;
}

type Judge = (value: unknown, schema: Schema, root: unknown) => string | null;

const asObject = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object(value) : null;
const lengthOf = (value: unknown): number | null => (typeof value === 'string' ? [...value].length : null);
const isBelow = (number: number | null, least = -Infinity) => number !== null && number < least;
const isAbove = (number: number | null, most = Infinity) => number !== null && number > most;
const when = (isWrong: boolean, text: string) => (isWrong ? text : null);

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)),
};

const countOf = (value: unknown): number | null => (Array.isArray(value) ? value.length : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const JUDGES: Readonly<Record<string, Judge>> = {
  type: (value, { type }) => when(type !== undefined && !isOfType(value, type), `is no ${type}`),
  const: (value, schema) => when(value !== schema.const, `is not ${schema.const}`),
  enum: (value, schema) => when(schema.enum?.includes(value) === false, 'is none of the values'),
  anyOf: (value, { anyOf = [] }, root) =>
    when(!anyOf.some((each) => faultOfValue(value, each, root) === null), 'is of none of the kinds'),
  properties: (value, { properties = {} }, root) => {
    const object = asObject(value);
    if (object === null) return null;
    for (const [name, schema] of Object.entries(properties))
      if (Object.hasOwn(object, name)) {
        const fault = faultOfValue(object[name], schema, root);
        if (fault !== null) return `.${name}${fault}`;
      }
    return null;
  },
  required: (value, { required = [] }) => {
    const object = asObject(value);
    const missing = object === null ? undefined : required.find((name) => !Object.hasOwn(object, name));
    return missing === undefined ? null : `.${missing} is missing`;
  },
  additionalProperties: (value, { additionalProperties: rule, properties = {} }, root) => {
    for (const [name, member] of Object.entries(asObject(value) ?? {})) {
      if (Object.hasOwn(properties, name) || rule === true || rule === undefined) continue;
      const fault = rule === false ? ' is unknown' : faultOfValue(member, rule, root);
      if (fault !== null) return `.${name}${fault}`;
    }
    return null;
  },
  propertyNames: (value, { propertyNames = {} }, root) => {
    const bad = Object.keys(asObject(value) ?? {}).find((name) => faultOfValue(name, propertyNames, root) !== null);
    return bad === undefined ? null : `.${bad} is no name`;
  },
  items: (value, { items = {} }, root) => {
    for (const [at, item] of Array.isArray(value) ? value.entries() : []) {
      const fault = faultOfValue(item, items, root);
      if (fault !== null) return `[${at}]${fault}`;
    }
    return null;
  },
  minItems: (value, { minItems }) => when(isBelow(countOf(value), minItems), 'has too few items'),
  maxItems: (value, { maxItems }) => when(isAbove(countOf(value), maxItems), 'has too many items'),
  minLength: (value, { minLength }) => when(isBelow(lengthOf(value), minLength), 'is too short'),
  maxLength: (value, { maxLength }) => when(isAbove(lengthOf(value), maxLength), 'is too long'),
  minimum: (value, { minimum }) => when(isBelow(numberOf(value), minimum), 'is too small'),
  maximum: (value, { maximum }) => when(isAbove(numberOf(value), maximum), 'is too large'),
  pattern: (value, { pattern = '' }) =>
    when(typeof value === 'string' && !new RegExp(pattern, 'u').test(value), 'has another form'),
  format: (value, { format = '' }) =>
    when(typeof value === 'string' && FORMATS[format]?.(value) !== true, `is no ${format}`),
  $ref: (value, { $ref = '' }, root) => faultOfValue(value, resolve(root, $ref), root),
};
/** What only describes. */
const NOTES = new Set(['default', 'description', 'examples', 'title']);

/** Where and why a value does not match; null when it does. `root` is the document that references are into. */
export function faultOfValue(value: unknown, schema: Schema, root: unknown): string | null {
  for (const word of Object.keys(schema)) {
    if (NOTES.has(word)) continue;
    const verify = JUDGES[word];
    if (verify === undefined) throw new Error(`${word} is not understood`);
    const fault = verify(value, schema, root);
    if (fault !== null) return /^[.[]/.test(fault) ? fault : ` ${fault.trimStart()}`;
  }
  return null;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return asObject(value) !== null;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function resolve(root: unknown, reference: string): Schema {
  let found: unknown = root;
  for (const name of reference.replace(/^#\//, '').split('/')) found = Object(found)[name];
  if (asObject(found) === null) throw new Error(`${reference} leads nowhere`);
  return Object(found);
}
