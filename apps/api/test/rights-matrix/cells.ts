import { createHash } from 'node:crypto';
import { CAPABILITIES } from '@access-admin/domain';
import { IDENTITY_GROUPS } from './identity-groups.ts';
import { isPromised, PROMISED_RIGHTS, type PromisedRights } from './promised-rights.ts';

/** An operation as /openapi.json describes it. */
export interface ServedOperation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** The media type of the request body; null if there is none. */
  readonly mediaType: string | null;
  readonly isExperimental: boolean;
  readonly isList: boolean;
}

/** A caller of the matrix. */
export interface Actor {
  readonly name: string;
  readonly clientId: string;
  /** Null for an application. */
  readonly identityId: string | null;
  readonly capabilities: readonly string[];
  /** Whether its client or its identity has been deleted. */
  readonly isDeleted: boolean;
}

/** The target of a call: resources of the caller's tenant unless `foreign`; `raising` requests a scope that the caller lacks. */
export type Target = 'none' | 'self' | 'own' | 'foreign' | 'raising';

/** A fault that every operation with a body refuses. */
export interface BadRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Null for a valid body. */
  readonly body: string | null;
}

/** One call of the matrix. */
export interface Cell {
  readonly operation: ServedOperation;
  readonly actor: Actor;
  readonly scopes: readonly string[];
  readonly target: Target;
  /** Null for a valid request. */
  readonly bad: BadRequest | null;
}

export interface MatrixPlan {
  readonly operations: readonly ServedOperation[];
  readonly scopes: readonly string[];
  readonly actors: readonly Actor[];
  readonly seed: number;
}

const BAD_REQUESTS: readonly BadRequest[] = [
  ...['{', '"text"', '{"a":1,"a":2}', '['.repeat(40), '\u0000', '{"unknown":"property"}'].map((body) => ({
    headers: {},
    body,
  })),
  { headers: { 'content-type': 'text/plain' }, body: null },
  { headers: { 'content-encoding': 'gzip' }, body: null },
];
const NONE: readonly string[] = [];
const NEVER_GRANTED = ['*', 'sp:scopes:all', 'auth-users', 'AUTH-USERS:READ', 'auth-users:read,auth-users:manage'];

/** A number that follows from the seed and the place. */
const drawAt = (seed: number, place: number): number =>
  createHash('sha256').update(`${seed}/${place}`).digest().readUInt32LE();

/** No capability, each alone, all, and all but each one that the table names. */
export function capabilitySets(): readonly (readonly string[])[] {
  const needed = new Set(PROMISED_RIGHTS.flatMap(({ capabilities }) => capabilities));
  const allBut = [...needed].map((name) => CAPABILITIES.filter((other) => other !== name));
  return [NONE, ...CAPABILITIES.map((name) => [name]), CAPABILITIES, ...allBut];
}

/** No scope, unknown ones, each alone, all, and all but those of each operation. */
function scopeSets(scopes: readonly string[]): readonly (readonly string[])[] {
  const needed = new Map(PROMISED_RIGHTS.map((row) => [row.scopes.join(), row.scopes]));
  const allBut = [...needed.values()].map((own) => scopes.filter((scope) => !own.includes(scope)));
  return [NONE, NEVER_GRANTED, ...scopes.map((name) => [name]), scopes, ...allBut];
}

/** Every call of the matrix. */
export function createCells({ operations, scopes: all, actors, seed }: MatrixPlan): readonly Cell[] {
  const sets = scopeSets(all);
  const cells = operations.flatMap((operation) =>
    actors.flatMap((actor) =>
      (actor.isDeleted ? [all] : sets).flatMap((scopes) =>
        targetsOf(operation, actor.identityId)
          .filter((target) => target !== 'raising' || scopes.length < all.length)
          .map((target): Cell => ({ operation, actor, scopes, target, bad: null })),
      ),
    ),
  );
  const bad = (place: number) => BAD_REQUESTS[drawAt(seed, place) % BAD_REQUESTS.length] ?? null;
  return cells.flatMap((cell, place) => (canBeBad(cell) ? [cell, { ...cell, bad: bad(place) }] : [cell]));
}

/** The operations whose body names an identity. */
const NAMING_IDENTITIES = ['start-predict-sod-violations-v1', 'start-violation-check-v1', 'decide-sign-in-v1'];

const canBeBad = ({ operation: { mediaType, isExperimental, isList }, target }: Cell) =>
  target !== 'raising' && (mediaType !== null || isExperimental || isList);

/** Whether the path of an operation has the id of an identity. */
const namesIdentity = ({ path }: Pick<ServedOperation, 'path'>): boolean =>
  path.includes('{') && IDENTITY_GROUPS.includes(path.split('/')[1] ?? '');

function targetsOf({ id, path }: ServedOperation, identityId: string | null): readonly Target[] {
  if (id === 'create-oauth-client-v1') return ['own', 'foreign', 'raising'];
  const isNamed = path.includes('{') || NAMING_IDENTITIES.includes(id);
  if (!isNamed) return ['none'];
  // An actor that deletes itself could act in no further cell.
  const isIdentity = namesIdentity({ path }) && identityId !== null && id !== 'delete-identity-v1';
  return [...(isIdentity ? (['self'] as const) : []), 'own', 'foreign'];
}

/** Whether the table lets the caller of a cell use its operation. */
export function isAllowed(table: readonly PromisedRights[], cell: Cell, targetId: string | null): boolean {
  const { operation, actor, scopes, target } = cell;
  const { identityId, capabilities, isDeleted } = actor;
  const onIdentity = namesIdentity(operation) ? targetId : null;
  const own = target === 'self' ? identityId : onIdentity;
  return !isDeleted && isPromised(table, operation.id, { scopes, identityId, capabilities, targetId: own });
}

/** `count` of the cells, or all; half of a sample are allowed calls, which are few in the matrix. */
export function sampleCells(cells: readonly Cell[], count: number, seed: number): readonly Cell[] {
  if (count >= cells.length) return cells;
  const shuffled = cells
    .map((cell, place) => ({ cell, key: drawAt(~seed, place) }))
    .sort((left, right) => left.key - right.key)
    .map(({ cell }) => cell);
  const groups = Map.groupBy(shuffled, (cell) => isAllowed(PROMISED_RIGHTS, cell, null));
  const allowed = (groups.get(true) ?? []).slice(0, count >> 1);
  return [...allowed, ...(groups.get(false) ?? []).slice(0, count - allowed.length)];
}
