import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The keywords of JSON Schema that values are drawn from; validation knows all of them. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
}

/** Where and why a value does not match a schema; null if it does. */
export type FindFault = (value: unknown, schema: object) => string | null;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Validates against schemas of an OpenAPI document. A keyword that is unknown throws: it would not be checked. */
export function createFindFault(components: unknown): FindFault {
  const ajv = new Ajv2020({ strictTypes: false, strictRequired: false });
  ajv.addVocabulary(['components']);
  ajv.addFormat('uuid', UUID);
  ajv.addFormat('date-time', (text: string) => INSTANT.test(text) && !Number.isNaN(Date.parse(text)));
  const compiled = new WeakMap<object, ValidateFunction>();
  return (value, schema) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components });
    compiled.set(schema, validate);
    return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar: '' });
  };
}
