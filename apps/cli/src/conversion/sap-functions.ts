import type { Position } from '../output/problem.ts';
import type { TableRow } from './read-table.ts';
import type { Faults } from './report.ts';

/** A range of values of a field; `*` at the end of a value stands for anything. */
interface Range {
  readonly low: string;
  readonly high: string;
}

/** An authorization of a role: of one object, the ranges by field. */
export interface Authorization {
  readonly object: string;
  readonly fields: Map<string, Range[]>;
  readonly at: Position;
}

/** One way to a function: a transaction code, and for each object the values that its fields need. */
interface Way {
  readonly tcode: string;
  /** For each object and field any one of the values. */
  readonly needs: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
}

/** What people do with authorizations, as an entitlement. */
export interface SapFunction {
  readonly id: string;
  readonly name: string;
  readonly ways: readonly Way[];
  readonly at: Position;
}

/** Reads a table of functions. */
export async function functionsOf(rows: AsyncIterable<TableRow>, faults: Faults): Promise<readonly SapFunction[]> {
  const found = new Map<
    string,
    { name: string; at: Position; ways: Map<string, Map<string, Map<string, string[]>>> }
  >();
  for await (const row of rows) {
    const id = row.get('id');
    const tcode = row.get('tcode');
    if (id === '' || tcode === '') {
      faults.add({ at: row.at, text: 'no function or transaction code' });
      continue;
    }
    const known = found.get(id) ?? { name: '', at: row.at, ways: new Map() };
    found.set(id, known);
    known.name ||= row.get('name');
    const needs = known.ways.get(tcode) ?? new Map<string, Map<string, string[]>>();
    known.ways.set(tcode, needs);
    const object = row.get('object');
    if (object === '') continue;
    const fields = needs.get(object) ?? new Map<string, string[]>();
    needs.set(object, fields);
    fields.set(row.get('field'), [...(fields.get(row.get('field')) ?? []), row.get('value')]);
  }
  return [...found].map(([id, { name, at, ways }]) => ({
    id,
    name,
    at,
    ways: [...ways].map(([tcode, needs]) => ({ tcode, needs })),
  }));
}

/** Without functions: each transaction code that an authorization names by itself. */
export function tcodesOf(authorizations: readonly Authorization[], at: Position): readonly SapFunction[] {
  const tcodes = new Set<string>();
  for (const { object, fields } of authorizations)
    if (object === 'S_TCODE')
      for (const { low, high } of fields.get('TCD') ?? [])
        if (high === '' && !low.includes('*') && low !== '') tcodes.add(low);
  return [...tcodes].sort().map((tcode) => ({ id: tcode, name: tcode, ways: [{ tcode, needs: new Map() }], at }));
}

/** Whether the authorizations of roles together allow a transaction code and one authorization of each object that it needs. */
export function grants(
  roles: readonly ReadonlyMap<string, readonly Authorization[]>[],
  { tcode, needs }: Way,
): boolean {
  const allows = (object: string, fields: ReadonlyMap<string, readonly string[]>) =>
    roles.some((byObject) =>
      (byObject.get(object) ?? []).some((authorization) =>
        [...fields].every(([field, values]) =>
          (authorization.fields.get(field) ?? []).some((range) => values.some((value) => contains(range, value))),
        ),
      ),
    );
  return (
    allows('S_TCODE', new Map([['TCD', [tcode]]])) && [...needs].every(([object, fields]) => allows(object, fields))
  );
}

function contains({ low, high }: Range, value: string): boolean {
  if (value === '' || value === '*') return low !== '';
  if (high !== '') return low <= value && value <= high.replace(/\*$/, '\uffff');
  return low.endsWith('*') ? value.startsWith(low.slice(0, -1)) : low === value;
}
