import { type GenericSchema, type InferOutput, union } from 'valibot';

declare const TYPE: unique symbol;

/** A schema of a response body, or of one line of it, whose output has type `T`. Made by `responseSchema` only. */
export type ResponseSchema<T = unknown> = GenericSchema & { readonly [TYPE]: T };

/**
 * Ties a schema to the published type of the response. Compiles only if both have the same properties of the same
 * types.
 */
export const responseSchema =
  <T>() =>
  <S extends GenericSchema>(schema: S & SameAs<InferOutput<S>, T>): ResponseSchema<T> =>
    schema as GenericSchema as ResponseSchema<T>;

/** The schema of a response that has one of two forms. */
export const eitherResponse = <A, B>(one: ResponseSchema<A>, other: ResponseSchema<B>): ResponseSchema<A | B> =>
  union([one, other]) as GenericSchema as ResponseSchema<A | B>;

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
