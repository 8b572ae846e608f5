import type { Source } from '@access-admin/domain';
import type { ScimAccount, ScimGroup } from '@access-admin/store';
import { tenantAddress } from '../../auth/base-address.ts';
import type { RequestContext } from '../../env.ts';
import { callerOf } from '../../http/caller.ts';
import { etagOf } from '../answers/etag.ts';
import { CORE_ATTRIBUTES, ENTERPRISE_ATTRIBUTES, PHONE_ATTRIBUTE } from './draft.ts';
import type { JsonObject } from './json.ts';
import { ENTERPRISE_SCHEMA, GROUP_SCHEMA, USER_SCHEMA } from './schemas.ts';

/** The address below which the resources of a source are. */
export const rootOf = (c: RequestContext, { id }: Pick<Source, 'id'>): string =>
  `${tenantAddress(c.env.services.config.baseAddress, callerOf(c).tenant)}/scim/v2/${encodeURIComponent(id)}`;

/** A resource as SCIM shows it. */
export interface ScimResource extends JsonObject {
  readonly id: string;
  readonly meta: {
    readonly resourceType: 'User' | 'Group';
    readonly created?: string;
    readonly lastModified?: string;
    readonly location: string;
    readonly version: string;
  };
}

export function showUser(root: string, { account, groups }: ScimAccount): ScimResource {
  const attributes = account.attributes ?? {};
  const pick = (names: readonly string[]) => nest(names.flatMap((name) => entryOf(name, attributes[name])));
  const enterprise = pick(ENTERPRISE_ATTRIBUTES);
  const hasEnterprise = Object.keys(enterprise).length > 0;
  const phone = attributes[PHONE_ATTRIBUTE];
  const user = {
    schemas: hasEnterprise ? [USER_SCHEMA, ENTERPRISE_SCHEMA] : [USER_SCHEMA],
    id: account.key,
    ...(account.externalId === null ? {} : { externalId: account.externalId }),
    userName: account.name,
    ...pick(CORE_ATTRIBUTES),
    ...(account.displayName === null ? {} : { displayName: account.displayName }),
    active: !account.disabled,
    ...(account.email === null ? {} : { emails: [forWork(account.email)] }),
    ...(phone === undefined ? {} : { phoneNumbers: [forWork(phone)] }),
    ...(groups.length === 0
      ? {}
      : {
          groups: groups.map(({ id, name }) => ({
            value: id,
            $ref: `${root}/Groups/${id}`,
            display: name,
            type: 'direct',
          })),
        }),
    ...(hasEnterprise ? { [ENTERPRISE_SCHEMA]: enterprise } : {}),
  };
  const { created, modified } = account;
  const location = `${root}/Users/${account.key}`;
  const version = etagOf([user, modified]);
  return { ...user, meta: { resourceType: 'User', created, lastModified: modified, location, version } };
}

const entryOf = (name: string, value: string | undefined): readonly (readonly [string, string])[] =>
  value === undefined ? [] : [[name, value]];

const forWork = (value: string) => ({ value, type: 'work' });

/** Texts by paths as nested objects. */
function nest(entries: readonly (readonly [path: string, value: string])[]): JsonObject {
  const nested: Record<string, unknown> = {};
  for (const [path, value] of entries) {
    const [name = '', sub] = path.split('.');
    nested[name] = sub === undefined ? value : { ...Object(nested[name]), [sub]: value };
  }
  return nested;
}

/** The version of a group, whether or not its members are shown. */
export const versionOfGroup = ({ id, name, externalId, membersVersion }: ScimGroup): string =>
  etagOf([id, name, externalId, membersVersion]);

export function showGroup(root: string, group: ScimGroup): ScimResource {
  const { id, name, externalId, members } = group;
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName: name,
    ...(members === null || members.length === 0
      ? {}
      : {
          members: members.map(({ key, display }) => ({
            value: key,
            $ref: `${root}/Users/${key}`,
            ...(display === null ? {} : { display }),
            type: 'User',
          })),
        }),
    meta: { resourceType: 'Group', location: `${root}/Groups/${id}`, version: versionOfGroup(group) },
  };
}
