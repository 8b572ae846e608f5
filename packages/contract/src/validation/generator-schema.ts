type Json = Readonly<Record<string, unknown>>;

const INT32_MAX = 2 ** 31 - 1;

/**
 * Rewrites a schema for client generators. They assume 32 bits for an integer without a format, and fail on `const`, on unions
 * with null and on defaults that are not scalars.
 */
export function forGenerators({ default: defaultValue, ...schema }: Json): Json {
  const isScalar = defaultValue !== null && typeof defaultValue !== 'object';
  return { ...rewritten(schema), ...(defaultValue !== undefined && isScalar ? { default: defaultValue } : {}) };
}

function rewritten(schema: Json): Json {
  if ('const' in schema) return withoutConst(schema);
  if (Array.isArray(schema['anyOf'])) return unionOf(schema, schema['anyOf']);
  if (schema['type'] === 'number' && Array.isArray(schema['enum'])) return { ...schema, type: 'integer' };
  if (schema['type'] === 'integer' && !(Number(schema['maximum']) <= INT32_MAX)) return { ...schema, format: 'int64' };
  return schema;
}

function withoutConst({ const: value, ...rest }: Json): Json {
  if (typeof value === 'boolean') return { description: `Always ${value}.`, ...rest, type: 'boolean' };
  return { ...rest, type: typeof value === 'number' ? 'integer' : 'string', enum: [value] };
}

/** Merges a union of one schema and null into that schema. */
function unionOf({ anyOf: _, ...rest }: Json, forms: readonly Json[]): Json {
  const [form, ...others] = forms.filter(({ type }) => type !== 'null');
  if (form === undefined || others.length > 0 || typeof form['type'] !== 'string') return { ...rest, oneOf: forms };
  const nullable = { ...form, ...rest, type: [form['type'], 'null'] };
  return Array.isArray(form['enum']) ? { ...nullable, enum: [...form['enum'], null] } : nullable;
}
