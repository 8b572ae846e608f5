import { type AccessAdminClient, filter } from '@access-admin/client';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { linkOptions, type NavigateOptions } from '@tanstack/react-router';
import { accessQuery, peopleQuery, policyChoicesQuery } from '../service/look-ups.ts';
import { foldName } from '../service/search-parts.ts';
import { accessLink } from '../ui/access-link.tsx';

/** The groups of what is found, in the order in which they are shown. */
export const GROUPS = [
  'records',
  'people',
  'policies',
  'violations',
  'access',
  'controls',
  'sources',
  'settings',
] as const;

export type Group = (typeof GROUPS)[number];

/** Something that is found, and the page that shows it. */
export interface Found {
  readonly key: string;
  readonly group: Group;
  /** What it is called; null for what is named by its kind alone. */
  readonly name: string | null;
  /** What tells it from another one of the same name. */
  readonly detail: string | null;
  readonly kind?:
    | 'report'
    | 'exception'
    | 'violation'
    | 'client'
    | 'webhook'
    | 'auth-profile'
    | 'ROLE'
    | 'ACCESS_PROFILE'
    | 'ENTITLEMENT';
  readonly link: NavigateOptions;
}

const SHOWN = 5;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Everything that a text finds. What the session may not read, or fails, is left out as long as anything else answers. */
export const everythingQuery = (api: AccessAdminClient, typed: string) =>
  queryOptions({
    queryKey: ['people', 'everything', typed],
    enabled: typed !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ client, signal }): Promise<readonly Found[]> => {
      const asked = [
        findRecords(api, typed, signal),
        findPeople(api, typed, client),
        findPolicies(api, typed, client),
        findViolations(api, typed, { client, signal }),
        findAccess(api, typed, client),
        findControls(api, typed, signal),
        findSources(api, typed, signal),
        findClients(api, typed, signal),
        findWebhooks(api, typed, signal),
        findAuthProfiles(api, typed, signal),
      ];
      const answers = await Promise.allSettled(asked);
      const [failed] = answers.filter(({ status }) => status === 'rejected');
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length === 0 && failed?.status === 'rejected' && answers.every(({ status }) => status === 'rejected'))
        throw failed.reason;
      return found;
    },
  });

interface Asked {
  readonly client: QueryClient;
  readonly signal: AbortSignal;
}

async function findPeople(api: AccessAdminClient, typed: string, client: QueryClient): Promise<readonly Found[]> {
  const people = await client.fetchQuery(peopleQuery(api, typed));
  return people.slice(0, SHOWN).map(({ id, name, detail }) => ({
    key: `person ${id}`,
    group: 'people',
    name,
    detail,
    link: linkOptions({ to: '/people/$id', params: { id } }),
  }));
}

async function findPolicies(api: AccessAdminClient, typed: string, client: QueryClient): Promise<readonly Found[]> {
  const policies = await client.fetchQuery(policyChoicesQuery(api, typed));
  return policies.slice(0, SHOWN).map(({ id, name }) => ({
    key: `policy ${id}`,
    group: 'policies',
    name,
    detail: null,
    link: linkOptions({ to: '/policies/$id', params: { id } }),
  }));
}

/** The present violations of the people who are found. */
async function findViolations(
  api: AccessAdminClient,
  typed: string,
  { client, signal }: Asked,
): Promise<readonly Found[]> {
  const people = (await client.fetchQuery(peopleQuery(api, typed))).map(({ id }) => id);
  if (people.length === 0) return [];
  const filters = filter`status in ${['Open', 'Mitigated']} and targetId in ${people}`;
  const { items } = await api.violations.page({ filters, sorters: '-level', limit: SHOWN, signal });
  return items.map(({ id, target, policy }) => ({
    key: `violation ${id}`,
    group: 'violations',
    name: target.name,
    detail: policy.name,
    link: linkOptions({ to: '/violations', search: { target: target.id, open: id } }),
  }));
}

async function findAccess(api: AccessAdminClient, typed: string, client: QueryClient): Promise<readonly Found[]> {
  const access = await client.fetchQuery(accessQuery(api, typed));
  return access.flatMap(({ type, id, name, detail }): readonly Found[] =>
    type === 'IDENTITY'
      ? []
      : [
          {
            key: `${type} ${id}`,
            group: 'access',
            name,
            detail,
            kind: type,
            link: accessLink({ type, id }),
          },
        ],
  );
}

async function findControls(api: AccessAdminClient, typed: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { items } = await api.controls.page({ signal });
  return fitting(items, typed).map(({ id, name }) => ({
    key: `control ${id}`,
    group: 'controls',
    name,
    detail: null,
    link: linkOptions({ to: '/controls' }),
  }));
}

async function findSources(api: AccessAdminClient, typed: string, signal: AbortSignal): Promise<readonly Found[]> {
  const sources = await Array.fromAsync(api.sources.list({ signal }));
  return fitting(sources, typed).map(({ id, name }) => ({
    key: `source ${id}`,
    group: 'sources',
    name,
    detail: null,
    link: linkOptions({ to: '/sources/$id', params: { id } }),
  }));
}

async function findClients(api: AccessAdminClient, typed: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { items } = await api.oauthClients.page({ signal });
  return fitting(items, typed).map(({ id, name }) => ({
    key: `client ${id}`,
    group: 'settings',
    name,
    detail: null,
    kind: 'client',
    link: linkOptions({ to: '/settings/clients' }),
  }));
}

async function findWebhooks(api: AccessAdminClient, typed: string, signal: AbortSignal): Promise<readonly Found[]> {
  const { items } = await api.webhooks.page({ signal });
  return fitting(items, typed).map(({ id, name }) => ({
    key: `webhook ${id}`,
    group: 'settings',
    name,
    detail: null,
    kind: 'webhook',
    link: linkOptions({ to: '/settings/webhooks', search: { webhook: id } }),
  }));
}

async function findAuthProfiles(api: AccessAdminClient, typed: string, signal: AbortSignal): Promise<readonly Found[]> {
  const profiles = await Array.fromAsync(api.authProfiles.list({ signal }));
  return fitting(profiles, typed).map(({ id, name }) => ({
    key: `auth-profile ${id}`,
    group: 'settings',
    name,
    detail: null,
    kind: 'auth-profile',
    link: linkOptions({ to: '/settings/auth-profiles', search: { profile: id } }),
  }));
}

/** What a whole id names that has no name of its own. */
async function findRecords(api: AccessAdminClient, typed: string, signal: AbortSignal): Promise<readonly Found[]> {
  if (!UUID.test(typed)) return [];
  const id = typed.toLowerCase();
  const group = 'records';
  const answers = await Promise.allSettled([
    api.violations.get(id, { signal }).then(({ name }) => ({
      kind: 'violation' as const,
      name,
      link: linkOptions({ to: '/violations', search: { open: id } }),
    })),
    api.sodReports.get(id, { signal }).then(() => ({
      kind: 'report' as const,
      name: null,
      link: linkOptions({ to: '/reports/$id', params: { id } }),
    })),
    api.sodExceptions.get(id, { signal }).then(({ state, identityId }) => ({
      kind: 'exception' as const,
      name: null,
      link: linkOptions({ to: '/exceptions', search: { state, person: identityId } }),
    })),
  ]);
  return answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? [{ key: `${answer.value.kind} ${id}`, group, detail: id, ...answer.value }] : [],
  );
}

/** Those of a few whose name contains a text, or whose id it is. */
function fitting<Item extends { readonly id: string; readonly name: string }>(
  items: readonly Item[],
  typed: string,
): readonly Item[] {
  const sought = foldName(typed);
  return items.filter(({ id, name }) => id === typed || foldName(name).includes(sought)).slice(0, SHOWN);
}
