import { CAPABILITIES } from '@access-admin/domain';
import { drawOne, type Random } from '../campaign/random.ts';
import type { ServedApi, ServedOperation } from '../http/read-operations.ts';
import { isPromised, type PromisedRights } from './promised-rights.ts';
import { SPOILT_BODIES, type SpoiltBody } from './spoilt-bodies.ts';

/** Somebody who may call. */
export interface Actor {
  readonly name: string;
  readonly clientId: string;
  /** Null for an application. */
  readonly identityId: string | null;
  readonly capabilities: readonly string[];
  /** Whether its client or its identity has been deleted since. */
  readonly isGone: boolean;
}

/** On what an operation is used: of the tenant of the caller unless it is `foreign`; `raising` asks for a scope that the caller lacks. */
export type Target = 'none' | 'self' | 'own' | 'foreign' | 'raising';

/** One call of the matrix. */
export interface Cell {
  readonly operation: ServedOperation;
  readonly actor: Actor;
  readonly scopes: readonly string[];
  readonly target: Target;
  /** With a body, a header or a query that is refused from whoever may call; null for one that is good. */
  readonly bad: SpoiltBody | null;
}

const withEachAlone = (names: readonly string[]) => names.map((name) => [name]);

/** None, each alone, all, and all without each that decides anything. */
export function capabilitySetsOf(table: readonly PromisedRights[]): readonly (readonly string[])[] {
  const deciding = new Set(table.flatMap(({ capabilities }) => capabilities));
  const allBut = [...deciding].map((name) => CAPABILITIES.filter((other) => other !== name));
  return [[], ...withEachAlone(CAPABILITIES), CAPABILITIES, ...allBut];
}

/** None, names that nobody knows, each alone, all, and all without those of each operation. */
function scopeSetsOf({ scopes }: ServedApi, table: readonly PromisedRights[]): readonly (readonly string[])[] {
  const needed = new Map(table.map((row) => [row.scopes.join(), row.scopes]));
  const allBut = [...needed.values()].map((own) => scopes.filter((scope) => !own.includes(scope)));
  const unknown = ['*', 'sp:scopes:all', 'auth-users', 'AUTH-USERS:READ', 'auth-users:read,auth-users:manage'];
  return [[], unknown, ...withEachAlone(scopes), scopes, ...allBut];
}

/** Every call of the matrix. */
export function cellsOf(
  { api, actors, random }: { readonly api: ServedApi; readonly actors: readonly Actor[]; readonly random: Random },
  table: readonly PromisedRights[],
): readonly Cell[] {
  const scopeSets = scopeSetsOf(api, table);
  return api.operations.flatMap((operation) =>
    actors.flatMap((actor) =>
      (actor.isGone ? [api.scopes] : scopeSets).flatMap((scopes) =>
        targetsOf(operation, actor.identityId)
          .filter((target) => target !== 'raising' || scopes.length < api.scopes.length)
          .flatMap((target) => {
            const cell: Cell = { operation, actor, scopes, target, bad: null };
            return canBeBad(cell) ? [cell, { ...cell, bad: drawOne(random, SPOILT_BODIES) }] : [cell];
          }),
      ),
    ),
  );
}

const canBeBad = ({ operation: { mediaType, isExperimental, isList }, target }: Cell) =>
  target !== 'raising' && (mediaType !== null || isExperimental || isList);

function targetsOf({ id, path }: ServedOperation, identityId: string | null): readonly Target[] {
  if (id === 'create-oauth-client-v1') return ['own', 'foreign', 'raising'];
  const isNamed = path.includes('{') || id === 'start-predict-sod-violations-v1' || id === 'start-violation-check-v1';
  if (!isNamed) return ['none'];
  const isIdentity = path.startsWith('/auth-users/') && identityId !== null;
  return [...(isIdentity ? (['self'] as const) : []), 'own', 'foreign'];
}

/** Whether the table lets the caller of a cell use its operation. */
export function isAllowed(
  table: readonly PromisedRights[],
  { operation, actor, scopes, target }: Cell,
  targetId: string | null,
): boolean {
  const { identityId, capabilities, isGone } = actor;
  const onIdentity = operation.path.startsWith('/auth-users/') ? targetId : null;
  const own = target === 'self' ? identityId : onIdentity;
  return !isGone && isPromised(table, operation.id, { scopes, identityId, capabilities, targetId: own });
}

/** So many of these, or all, in an order drawn at random; half of them allowed ones, which are few. */
export function drawCells(
  cells: readonly Cell[],
  {
    count,
    random,
    table,
  }: { readonly count: number; readonly random: Random; readonly table: readonly PromisedRights[] },
): readonly Cell[] {
  if (count >= cells.length) return cells;
  const groups = Map.groupBy(cells, (cell) => isAllowed(table, cell, null));
  const allowed = shuffled(groups.get(true) ?? [], random).slice(0, count >> 1);
  return [...allowed, ...shuffled(groups.get(false) ?? [], random).slice(0, count - allowed.length)];
}

function shuffled<T>(items: readonly T[], random: Random): readonly T[] {
  return items
    .map((item) => ({ item, place: random(2 ** 31) }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);
}
