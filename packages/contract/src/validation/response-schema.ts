import type { GenericSchema, InferOutput } from 'valibot';

declare const TYPE: unique symbol;

/** A schema of a response body, or of one line of it, whose output is `T`. Only `responseSchema` makes one. */
export type ResponseSchema<T = unknown> = GenericSchema & { readonly [TYPE]: T };

/** Ties a schema to the type that clients see. Compiles only where both have the same properties of the same types. */
export const responseSchema =
  <T>() =>
  <S extends GenericSchema>(schema: S & SameAs<InferOutput<S>, T>): ResponseSchema<T> =>
    schema as GenericSchema as ResponseSchema<T>;

/** Accepts everything where the types are the same, else nothing; the error then shows both. */
type SameAs<Schema, Type> =
  (<X>() => X extends Normal<Schema> ? 1 : 2) extends <X>() => X extends Normal<Type> ? 1 : 2
    ? unknown
    : { readonly schema: Normal<Schema>; readonly type: Normal<Type> };

/** The type without intersections and with everything read-only, so that equal types compare as equal. */
type Normal<T> = T extends readonly (infer Item)[]
  ? readonly Normal<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Normal<T[K]> }
    : T;
