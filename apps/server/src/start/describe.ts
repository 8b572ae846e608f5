import { join, relative } from 'node:path';
import type { ViolationPrediction } from '@access-admin/client';
import type { Addresses } from './addresses.ts';
import type { KnownClient } from './kept-clients.ts';
import type { Sample } from './sample.ts';

/** What a start has found. */
export interface Started {
  readonly addresses: Addresses;
  /** Null where the store knows none of the clients that we know. */
  readonly credentials: KnownClient | null;
  readonly tenant: string;
  readonly sample: Sample;
  /** The working folder. */
  readonly folder: string;
  /** The response to the request of the sample; null where the store lacks the sample. */
  readonly prediction: ViolationPrediction | null;
  readonly isEmpty: boolean;
  readonly signInLink: string | null;
  readonly hasConsole: boolean;
}

/**
 * The text that a start writes last: the addresses, where the client's secret is, calls to paste into a shell, and for the
 * browser the address of the console, unless it is hidden, and a link that signs in the administrator of the sample.
 */
export function describeStart(started: Started): string {
  const { addresses, credentials, tenant } = started;
  const client =
    credentials === null
      ? ['', ...UNKNOWN]
      : [`  Client         ${credentials.clientId}`, `  Secret         in ${credentials.file ?? VARIABLE}`];
  return [
    '',
    'access-admin is running. Stop it with Ctrl-C.',
    '',
    `  Base address   ${addresses.base}`,
    `  Reference      ${addresses.base}/docs`,
    `  Tenant         ${tenant}`,
    ...client,
    '',
    ...(started.isEmpty ? [...INVITATION, ''] : []),
    ...paragraphOfCalls(started),
    '',
    ...paragraphOfPages(started),
  ].join('\n');
}

const VARIABLE = 'BOOTSTRAP_CLIENT_SECRET';

const UNKNOWN = [
  'The store already had clients when it was first used from here: it knows neither the client of the environment',
  '(BOOTSTRAP_CLIENT_ID, BOOTSTRAP_CLIENT_SECRET) nor one of var/bootstrap-client*.json. Put in a client of yours below.',
];

const INVITATION = [
  'The store is empty. To begin, make its first administrator from this folder; the link that this prints signs in:',
  '',
  '  npx access-admin invite <username> --name <name>',
];

function paragraphOfPages({ addresses, signInLink, hasConsole }: Started): readonly string[] {
  const lines = [
    ...(hasConsole ? [`  Console        ${addresses.base}/console/`] : []),
    ...(signInLink === null ? [] : [`  Sign in        ${signInLink} (once, within 24 hours)`]),
  ];
  return lines.length === 0 ? [] : ['In the browser:', '', ...lines, ''];
}

function paragraphOfCalls({ addresses, credentials, sample, folder, prediction, isEmpty }: Started): readonly string[] {
  const token = tokenCall(addresses, credentials);
  if (credentials !== null && prediction === null) {
    if (!isEmpty) return ['A token for calls of the service. Paste into a shell, in this folder:', '', token];
    const file = relative(folder, join(sample.folder, 'sample.ndjson'));
    return ['Or, to try it with the sample, from this folder:', '', token, importCall(addresses, file)];
  }
  const title = 'Would this grant break a policy? Paste into a shell:';
  const calls = [title, '', token, predictCall(addresses, sample.demoRequest), ''];
  return prediction === null ? calls : [...calls, ...expectation(prediction)];
}

function expectation({ violationContexts }: ViolationPrediction): readonly string[] {
  const lines = violationContexts.map(({ policy, conflictingAccessCriteria: conflict }) => {
    const sides = 'criteria' in conflict ? conflict.criteria : Object.values(conflict);
    const names = sides
      .flatMap(({ criteriaList }) => criteriaList)
      .map(({ name, existing }) => `${name} (${existing ? 'held' : 'requested'})`);
    return `  ${policy.level} ${policy.name}: ${names.join(' + ')}`;
  });
  const count = lines.length === 1 ? '1 violation' : `${lines.length} violations`;
  return [`The answer to expect has ${count} in "violationContexts":`, '', ...lines];
}

const tokenCall = (addresses: Addresses, client: KnownClient | null) =>
  `token=$(curl -s http://${addresses.local}/oauth/token${hostHeader(addresses)} -d grant_type=client_credentials ` +
  `--data-urlencode ${quote(`client_id=${client?.clientId ?? '<client id>'}`)} --data-urlencode ${secretArgument(client)} ` +
  `| sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')`;

/** The shell reads the secret from where it is, so that it is in no terminal, log or history. */
function secretArgument(client: KnownClient | null): string {
  if (client === null) return quote('client_secret=<client secret>');
  if (client.file === null) return `"client_secret=$${VARIABLE}"`;
  return `"client_secret=$(sed -n 's/.*"clientSecret" *: *"\\([^"]*\\)".*/\\1/p' ${quote(client.file)})"`;
}

const predictCall = (addresses: Addresses, demoRequest: string) =>
  `curl -s http://${addresses.local}/sod-violations/v1/predict${hostHeader(addresses)} -H "Authorization: Bearer $token" ` +
  `-H 'Content-Type: application/json' -d ${quote(demoRequest)}`;

const importCall = (addresses: Addresses, file: string) =>
  `curl -s http://${addresses.local}/access-model/v1/import${hostHeader(addresses)} -H "Authorization: Bearer $token" ` +
  `-H 'Content-Type: application/x-ndjson' --data-binary ${quote(`@${file}`)}`;

// Curl connects to this machine; the public name goes into the `Host` header.
const hostHeader = ({ local, publicHost }: Addresses) =>
  publicHost === local ? '' : ` -H ${quote(`Host: ${publicHost}`)}`;

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
