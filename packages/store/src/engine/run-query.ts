import type pg from 'pg';

/** Runs a statement and resolves with its rows. */
export type Query = <Row extends pg.QueryResultRow>(text: string) => Promise<readonly Row[]>;

export const queryOn =
  (connection: Pick<pg.ClientBase, 'query'>): Query =>
  async <Row extends pg.QueryResultRow>(text: string) =>
    (await connection.query<Row>(text)).rows;
