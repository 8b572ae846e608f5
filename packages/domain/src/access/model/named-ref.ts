/** A reference with the name of its target. */
export interface NamedRef<Type extends string> {
  readonly type: Type;
  readonly id: string;
  readonly name: string;
}
