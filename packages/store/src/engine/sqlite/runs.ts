interface Statement {
  run(parameters: readonly unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
}

/**
 * Runs of one statement, one after the other, as the one parameter of a query of Kysely: a query takes longer than a small update.
 *
 * @example
 * const runs = new Runs([['a', 1], ['b', 2]]);
 * await db.executeQuery({ ...statement, parameters: [runs] });
 * runs.changes; // [1, 0]
 */
export class Runs {
  /** How many rows each run has changed. */
  readonly changes: number[] = [];
  readonly #parameters: Iterable<readonly unknown[]>;

  /** The parameters of each run. */
  constructor(parameters: Iterable<readonly unknown[]>) {
    this.#parameters = parameters;
  }

  /** Runs the statement with each list of parameters. */
  run(statement: Statement): { readonly changes: number; readonly lastInsertRowid: number } {
    for (const parameters of this.#parameters) this.changes.push(Number(statement.run(parameters).changes));
    return { changes: this.changes.reduce((sum, count) => sum + count, 0), lastInsertRowid: 0 };
  }
}
