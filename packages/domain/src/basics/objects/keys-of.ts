/**
 * The keys of an object whose type names all of them, such as a table by kind. A value of a wider type can have keys that its
 * type does not name: for those use `Object.keys`.
 */
export const keysOf = <T extends object>(table: T): (keyof T & string)[] => Object.keys(table) as (keyof T & string)[];
