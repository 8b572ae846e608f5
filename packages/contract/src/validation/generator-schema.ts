type Json = Readonly<Record<string, unknown>>;

const INT32_MAX = 2 ** 31 - 1;

/**
 * The same schema in the keywords of JSON Schema that generators of clients know. They take an integer without a format for one
 * of 32 bits, and compile neither `const`, nor a union with null, nor a default that is no scalar.
 */
export function asGeneratorsExpect({ default: byDefault, ...schema }: Json): Json {
  const isScalar = byDefault !== null && typeof byDefault !== 'object';
  return { ...described(schema), ...(byDefault !== undefined && isScalar ? { default: byDefault } : {}) };
}

function described(schema: Json): Json {
  if ('const' in schema) return onlyValue(schema);
  if (Array.isArray(schema['anyOf'])) return unionOf(schema, schema['anyOf']);
  if (schema['type'] === 'number' && Array.isArray(schema['enum'])) return { ...schema, type: 'integer' };
  if (schema['type'] === 'integer' && !(Number(schema['maximum']) <= INT32_MAX)) return { ...schema, format: 'int64' };
  return schema;
}

function onlyValue({ const: value, ...rest }: Json): Json {
  if (typeof value === 'boolean') return { description: `Always ${value}.`, ...rest, type: 'boolean' };
  return { ...rest, type: typeof value === 'number' ? 'integer' : 'string', enum: [value] };
}

/** A union, as one schema where all but one of its forms is null. */
function unionOf({ anyOf: _, ...rest }: Json, forms: readonly Json[]): Json {
  const [form, ...others] = forms.filter(({ type }) => type !== 'null');
  if (form === undefined || others.length > 0 || typeof form['type'] !== 'string') return { ...rest, oneOf: forms };
  const either = { ...form, ...rest, type: [form['type'], 'null'] };
  return Array.isArray(form['enum']) ? { ...either, enum: [...form['enum'], null] } : either;
}
