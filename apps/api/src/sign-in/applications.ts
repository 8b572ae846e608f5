import { APPLICATION_ID_LENGTH_MAX, isTenantName } from '@access-admin/domain';
import * as v from 'valibot';

/** An application that verifies the first factor of identities whose auth profile is of type `PTA`. */
export interface SignInApplication {
  readonly id: string;
  readonly name: string;
  readonly kind: 'ldap' | 'oidc';
  /** The tenants whose auth profiles may name it. */
  readonly tenants: readonly string[];
}

/** What the file of applications has to be. */
export const SIGN_IN_APPLICATIONS_RULE =
  'the path of a JSON file with an array of {id, name, kind, tenants}, kind being ldap or oidc, and each id once for a tenant';

const applications = v.array(
  v.looseObject({
    id: v.pipe(v.string(), v.minLength(1), v.maxLength(APPLICATION_ID_LENGTH_MAX)),
    name: v.pipe(v.string(), v.minLength(1)),
    kind: v.picklist(['ldap', 'oidc']),
    tenants: v.pipe(v.array(v.pipe(v.string(), v.check(isTenantName))), v.minLength(1)),
  }),
);

/** The applications of a file; null if it is malformed. */
export function parseSignInApplications(text: string): readonly SignInApplication[] | null {
  const parsed = v.safeParse(applications, parseJson(text));
  if (!parsed.success) return null;
  const keys = parsed.output.flatMap(({ id, tenants }) => tenants.map((tenant) => `${tenant} ${id}`));
  return new Set(keys).size === keys.length ? parsed.output : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The application of a tenant with this id. */
export const findApplication = (
  all: readonly SignInApplication[],
  tenant: string,
  id: string | null,
): SignInApplication | null => all.find((each) => each.id === id && each.tenants.includes(tenant)) ?? null;
