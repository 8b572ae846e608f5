/** A page of a list: 1 to 250 rows from `offset`, ordered by id in code-unit order. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}
