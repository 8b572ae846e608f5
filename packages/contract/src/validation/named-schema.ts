import { type GenericSchema, type InferOutput, union } from 'valibot';

/** Schemas under the names that the OpenAPI document gives them. */
export type NamedSchemas = Readonly<Record<string, GenericSchema>>;

/** What requests have, and what responses have: a schema may have defaults, and so be another one in each. */
const NAMED = { input: new Map<string, GenericSchema>(), output: new Map<string, GenericSchema>() };

/** The schemas of requests (`input`) or of responses (`output`) that were given a name where they are defined. */
export const namedSchemasOf = (typeMode: 'input' | 'output'): NamedSchemas => Object.fromEntries(NAMED[typeMode]);

function register(typeMode: 'input' | 'output', name: string, schema: GenericSchema): void {
  if (NAMED[typeMode].has(name)) throw new Error(`There are two schemas with the name ${name}.`);
  NAMED[typeMode].set(name, schema);
}

/** The schema of a request, with its name in the OpenAPI document. */
export function requestSchema<S extends GenericSchema>(name: string, schema: S): S {
  register('input', name, schema);
  return schema;
}

/** The schema of a part of responses, with its name in the OpenAPI document. */
export function responsePart<S extends GenericSchema>(name: string, schema: S): S {
  register('output', name, schema);
  return schema;
}

declare const TYPE: unique symbol;

/** A schema of a response body, or of one line of it, whose output has type `T`. Made by `responseSchema` only. */
export type ResponseSchema<T = unknown> = GenericSchema & { readonly [TYPE]: T };

/**
 * Ties a schema to the published type of the response. Compiles only if both have the same properties of the same
 * types. The OpenAPI document has the schema under its name; one without a name where it is used.
 *
 * @example export const session = responseSchema<Session>('Session')(closedObject({ id: v.string() }));
 */
export const responseSchema =
  <T>(name?: string) =>
  <S extends GenericSchema>(schema: S & SameAs<InferOutput<S>, T>): ResponseSchema<T> => {
    if (name !== undefined) register('output', name, schema);
    return marked<T>(schema);
  };

/** The schema of a response that has one of two forms. */
export const eitherResponse = <A, B>(one: ResponseSchema<A>, other: ResponseSchema<B>): ResponseSchema<A | B> =>
  marked<A | B>(union([one, other]));

/** The mark is a type alone, which no value has at run time. */
// biome-ignore lint/plugin/type-assertion: Only the exported functions mark a schema, and prove the type before.
const marked = <T>(schema: GenericSchema): ResponseSchema<T> => schema as ResponseSchema<T>;

/** `unknown` if both types are the same, else an object type that makes the compiler show both. */
type SameAs<Schema, Type> =
  (<X>() => X extends Normal<Schema> ? 1 : 2) extends <X>() => X extends Normal<Type> ? 1 : 2
    ? unknown
    : { readonly schema: Normal<Schema>; readonly type: Normal<Type> };

/** The type with intersections merged and all properties read-only, so that equal types are identical to the compiler. */
type Normal<T> = T extends readonly (infer Item)[]
  ? readonly Normal<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Normal<T[K]> }
    : T;
