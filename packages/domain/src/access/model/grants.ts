/** The types of resources that decisions know besides those that entitlements name. */
export const RESOURCE_TYPES = ['entitlement', 'role', 'access_profile', 'access_request', 'capability'] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

/** An action on a resource of an application. */
export interface Grant {
  /** None of `RESOURCE_TYPES`. */
  readonly resourceType: string;
  readonly resourceId: string;
  readonly action: string;
}

/** The most grants of an entitlement. */
export const GRANTS_MAX = 10;

/** The most characters of each text of a grant. */
export const GRANT_TEXT_LENGTH_MAX = 128;

/** Whether decisions know a type of resource without an entitlement that names it. */
export const isResourceType = (type: string): type is ResourceType => RESOURCE_TYPES.some((each) => each === type);

/** Grants in their order, each once. */
export const uniqueGrants = (grants: readonly Grant[]): readonly Grant[] => [
  ...new Map(grants.map((grant) => [grantKey(grant), grant])).values(),
];

const grantKey = ({ resourceType, resourceId, action }: Grant): string =>
  JSON.stringify([resourceType, resourceId, action]);
