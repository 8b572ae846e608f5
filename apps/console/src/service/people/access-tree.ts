import type {
  AccessAdminClient,
  AccessType,
  ShownAccessProfile,
  ShownAssignment,
  ShownRole,
} from '@access-admin/client';
import { readByIds } from '../id-parts.ts';

/** Something that a person holds, with what it contains. */
export interface AccessNode {
  readonly type: AccessType;
  readonly id: string;
  readonly name: string;
  /** Whether the person also has it assigned directly. */
  readonly isAssigned: boolean;
  readonly children: readonly AccessNode[];
}

/** An assignment of a person, with what it gives. */
export interface AssignedAccess extends AccessNode {
  /** ISO 8601; null where it has always been valid. */
  readonly start: string | null;
  /** ISO 8601; null where it does not end. */
  readonly end: string | null;
  /** The source and the account that it comes from; null for the record of the person. */
  readonly source: string | null;
  readonly accountKey: string | null;
}

/** The content of what is assigned, by id. */
export interface AccessContent {
  readonly roles: ReadonlyMap<string, ShownRole>;
  readonly accessProfiles: ReadonlyMap<string, ShownAccessProfile>;
}

type Ref = Pick<AccessNode, 'type' | 'id' | 'name'>;

const TYPES: readonly AccessType[] = ['ROLE', 'ACCESS_PROFILE', 'ENTITLEMENT'];

/** What a person holds as a tree: roles, then access profiles, then entitlements, by name. Records without content are leaves. */
export function buildAccessTree(
  assignments: readonly ShownAssignment[],
  { roles, accessProfiles }: AccessContent,
): readonly AssignedAccess[] {
  const assigned = new Set(assignments.map(keyOf));
  const contentOf = ({ type, id }: Ref): readonly Ref[] => {
    if (type === 'ENTITLEMENT') return [];
    const { entitlements = [] } = (type === 'ROLE' ? roles : accessProfiles).get(id) ?? {};
    const profiles = type === 'ROLE' ? roles.get(id)?.accessProfiles : undefined;
    return [...(profiles ?? []), ...entitlements];
  };
  const nodeOf = ({ type, id, name }: Ref): AccessNode => ({
    type,
    id,
    name,
    isAssigned: assigned.has(keyOf({ type, id })),
    children: contentOf({ type, id, name }).toSorted(inOrder).map(nodeOf),
  });
  return assignments.toSorted(inOrder).map((ref) => {
    const { start, end, source = null, accountKey = null } = ref;
    return { ...nodeOf(ref), start, end, source, accountKey };
  });
}

/** The ids of all entitlements of a node. */
export const entitlementsOf = ({ type, id, children }: AccessNode): readonly string[] =>
  type === 'ENTITLEMENT' ? [id] : children.flatMap(entitlementsOf);

/** The number of a node and of all below it. */
export const sizeOf = ({ children }: AccessNode): number => children.reduce((size, child) => size + sizeOf(child), 1);

/** Reads what assignments give, a few records with each request. */
export async function readAccessTree(
  api: Pick<AccessAdminClient, 'roles' | 'accessProfiles'>,
  assignments: readonly ShownAssignment[],
  signal: AbortSignal,
): Promise<readonly AssignedAccess[]> {
  const assignedIds = (type: AccessType) => assignments.filter((each) => each.type === type).map(({ id }) => id);
  const roles = await readByIds(assignedIds('ROLE'), (filters) => api.roles.list({ filters, signal }));
  const inRoles = [...roles.values()].flatMap(({ accessProfiles }) => accessProfiles.map(({ id }) => id));
  const accessProfiles = await readByIds([...assignedIds('ACCESS_PROFILE'), ...inRoles], (filters) =>
    api.accessProfiles.list({ filters, signal }),
  );
  return buildAccessTree(assignments, { roles, accessProfiles });
}

const keyOf = ({ type, id }: Pick<Ref, 'type' | 'id'>) => `${type} ${id}`;

const inOrder = (one: Ref, other: Ref): number =>
  TYPES.indexOf(one.type) - TYPES.indexOf(other.type) || one.name.localeCompare(other.name);
