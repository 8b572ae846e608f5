import { sodPolicyFields, validate } from '@access-admin/contract';
import {
  keysOf,
  RESOURCE_ID_LENGTH_MAX,
  type SodPolicy,
  UNSET_POLICY_FIELDS,
  validateSodPolicy,
} from '@access-admin/domain';
import { CommandFailure } from '../output/failure.ts';
import { formatProblem, type Position, type Problem } from '../output/problem.ts';
import type { Rulebook } from './load.ts';
import type { Path, PlacedPolicy } from './parse.ts';
import { createMatcher, entitlementOf, isPattern } from './refs.ts';
import type { WrittenPolicy } from './schema.ts';

/** The optional fields of a policy by their names in files. */
export const OPTIONAL_FIELDS = {
  state: 'state',
  level: 'level',
  owner: 'ownerRef',
  description: 'description',
  tags: 'tags',
  advice: 'correctionAdvice',
  controls: 'compensatingControls',
} as const satisfies Partial<Record<keyof WrittenPolicy, keyof SodPolicy>>;

/** An optional field of a policy, by its name in the service. */
export type OptionalField = (typeof OPTIONAL_FIELDS)[keyof typeof OPTIONAL_FIELDS];

/** A policy with its patterns resolved. */
export interface ResolvedPolicy {
  /** What the file leaves out is as in a new policy. */
  readonly policy: SodPolicy;
  /** The optional fields that the file states; an existing policy keeps the others. */
  readonly stated: ReadonlySet<OptionalField>;
  readonly at: Position;
  /** Where each item is; of several times the first. */
  readonly items: ReadonlyMap<string, Position>;
  /** The patterns that match nothing, by the ids of the items that stand for them. */
  readonly unmatched: ReadonlyMap<string, string>;
}

/** How patterns are resolved. */
export interface Resolution {
  /** The ids of the entitlements that exist. */
  readonly ids: Iterable<string>;
  /** What a pattern that matches nothing becomes: a fault, or an item of its own, where the catalogue is not known. */
  readonly unmatched: 'fault' | 'item';
}

// A policy of a file has no moments; nothing of what is done with it looks at them.
const NO_MOMENT = '1970-01-01T00:00:00.000Z';

/**
 * The policies of a rulebook with their patterns resolved, by the rules of the service. Throws a `CommandFailure` that names
 * each fault with file, line and column.
 */
export function resolveRulebook({ policies }: Rulebook, { ids, unmatched }: Resolution): readonly ResolvedPolicy[] {
  const known = [...ids].sort();
  const problems: Problem[] = [];
  const resolved = policies.map((placed) => resolvePolicy(placed, { known, unmatched, problems }));
  if (problems.length > 0) throw new CommandFailure(problems.map(formatProblem).join('\n'));
  return resolved;
}

interface Resolving {
  readonly known: readonly string[];
  readonly unmatched: Resolution['unmatched'];
  readonly problems: Problem[];
}

function resolvePolicy({ policy: written, at, positionOf }: PlacedPolicy, resolving: Resolving): ResolvedPolicy {
  const { problems } = resolving;
  const known = problems.length;
  const items = new Map<string, Position>();
  const unmatched = new Map<string, string>();
  const itemsAt = (refs: readonly string[], path: Path) =>
    resolveSide(refs, {
      ...resolving,
      items,
      unmatchedPatterns: unmatched,
      at: (index) => positionOf([...path, index]),
    });
  const fields = {
    id: written.id,
    name: written.name,
    state: written.state ?? 'ENFORCED',
    level: written.level ?? 'HIGH',
    description: written.description ?? null,
    correctionAdvice: written.advice ?? null,
    compensatingControls: Array.isArray(written.controls) ? written.controls.join('\n') : (written.controls ?? null),
    tags: written.tags ?? [],
    ownerRef: written.owner === undefined || written.owner === null ? null : { type: 'IDENTITY', id: written.owner },
    conflictingAccessCriteria: criteriaOf(written, itemsAt),
  };
  const parsed = validate(sodPolicyFields, fields);
  const failure = parsed.ok ? validateSodPolicy(fields as never) : parsed.failure;
  // A pattern that matches nothing has been named.
  for (const cause of problems.length > known ? [] : (failure?.causes ?? [])) {
    const name = nameInFile(cause.at);
    problems.push({ at: positionOf(pathOf(name)), text: `policy ${written.id}: ${name}: ${cause.text}` });
  }
  const policy = {
    ...UNSET_POLICY_FIELDS,
    ...(parsed.ok ? parsed.value : fields),
    externalPolicyReference: null,
    creatorId: null,
    modifierId: null,
    type: 'CONFLICTING_ACCESS_BASED',
  };
  const stated = new Set(keysOf(OPTIONAL_FIELDS).flatMap((name) => (name in written ? [OPTIONAL_FIELDS[name]] : [])));
  return { policy: { ...policy, created: NO_MOMENT, modified: NO_MOMENT } as SodPolicy, stated, at, items, unmatched };
}

const nameInFile = (at: string): string =>
  at
    .replace(/^conflictingAccessCriteria\.(left|right)Criteria\.criteriaList/, '$1')
    .replace(/^conflictingAccessCriteria\.criteria/, 'sides')
    .replace(/^conflictingAccessCriteria\./, '')
    .replace('.criteriaList', '.items')
    .replace(/\.id$/, '')
    .replace(/^correctionAdvice/, 'advice')
    .replace(/^compensatingControls/, 'controls')
    .replace(/^ownerRef.*/, 'owner');

/** A name such as `sides[0].items[1]` as a path. */
const pathOf = (name: string): Path =>
  [...name.matchAll(/\w+/g)].map(([part]) => (/^\d+$/.test(part) ? Number(part) : part));

function criteriaOf(policy: WrittenPolicy, itemsAt: (refs: readonly string[], path: Path) => readonly string[]) {
  const side = (name: string | null, ids: readonly string[]) => ({
    name,
    criteriaList: ids.map((id) => ({ type: 'ENTITLEMENT' as const, id, name: null })),
  });
  if ('critical' in policy) return { criteria: [side(null, itemsAt(policy.critical, ['critical']))], atLeast: 1 };
  if ('sides' in policy) {
    const sides = policy.sides.map(({ name, items }, index) =>
      side(name ?? null, itemsAt(items, ['sides', index, 'items'])),
    );
    return { criteria: sides, atLeast: policy.atLeast };
  }
  return {
    leftCriteria: side(null, itemsAt(policy.left, ['left'])),
    rightCriteria: side(null, itemsAt(policy.right, ['right'])),
  };
}

interface SideResolving extends Resolving {
  readonly at: (index: number) => Position;
  readonly items: Map<string, Position>;
  readonly unmatchedPatterns: Map<string, string>;
}

/** The ids of a side: those named, then those that patterns add, in order. */
function resolveSide(refs: readonly string[], resolving: SideResolving): readonly string[] {
  const { known, unmatched, problems, at, items, unmatchedPatterns } = resolving;
  const named: string[] = [];
  const matched = new Set<string>();
  for (const [index, ref] of refs.entries()) {
    const found = isPattern(ref) ? known.filter(createMatcher(entitlementOf(ref))) : [entitlementOf(ref)];
    if (found.length === 0 && unmatched === 'fault')
      problems.push({ at: at(index), text: `no entitlement matches ${ref}` });
    if (found.length === 0 && unmatched === 'item') {
      const id = standIn(ref);
      unmatchedPatterns.set(id, ref);
      found.push(id);
    }
    for (const id of found) {
      if (!items.has(id)) items.set(id, at(index));
      if (isPattern(ref)) matched.add(id);
      else named.push(id);
    }
  }
  return [...named, ...matched.difference(new Set(named))];
}

/** The id of an item that stands for a pattern. */
const standIn = (ref: string): string =>
  `pattern:${entitlementOf(ref)}`.replaceAll(/[^A-Za-z0-9:_.-]/g, '-').slice(0, RESOURCE_ID_LENGTH_MAX);
