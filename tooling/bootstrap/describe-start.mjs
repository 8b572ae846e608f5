import { demoRequest } from './sample.mjs';

/**
 * The text that `npm start` prints last: the addresses, where the client's secret is, calls to paste into a shell, and for the browser
 * the address of the console, unless it is hidden, and a link that signs in the administrator of the sample, unless it is null.
 */
export function describeStart({ addresses, client, token, tenant, prediction, signInLink, hasConsole }) {
  return [
    '',
    'access-admin is running. Stop it with Ctrl-C.',
    '',
    `  Base address   ${addresses.base}`,
    `  Reference      ${addresses.base}/docs`,
    `  Tenant         ${tenant}`,
    ...(client === null
      ? ['', ...UNKNOWN]
      : [`  Client         ${client.clientId}`, `  Secret         in ${client.file ?? VARIABLE}`]),
    '',
    ...paragraphOfCalls({ addresses, client, prediction, known: token !== null }),
    '',
    ...paragraphOfPages({ addresses, signInLink, hasConsole }),
  ].join('\n');
}

const VARIABLE = 'BOOTSTRAP_CLIENT_SECRET';

const UNKNOWN = [
  'The store already had clients when it was first used from here: it knows neither the client of the environment',
  '(BOOTSTRAP_CLIENT_ID, BOOTSTRAP_CLIENT_SECRET) nor one of var/bootstrap-client*.json. Put in a client of yours below.',
];

function paragraphOfPages({ addresses, signInLink, hasConsole }) {
  const lines = [
    ...(hasConsole ? [`  Console        ${addresses.base}/console/`] : []),
    ...(signInLink === null ? [] : [`  Sign in        ${signInLink} (once, within 24 hours)`]),
  ];
  return lines.length === 0 ? [] : ['In the browser:', '', ...lines, ''];
}

function paragraphOfCalls({ addresses, client, prediction, known }) {
  const token = tokenCall(addresses, client);
  if (known && prediction === null) {
    return ['The sample is not in this store. To load it, from the checkout:', '', token, importCall(addresses)];
  }
  const title = 'Would this grant break a policy? Paste into a shell:';
  return [title, '', token, predictCall(addresses), '', ...(known ? expectation(prediction) : [])];
}

function expectation({ violationContexts }) {
  const lines = violationContexts.map(({ policy, conflictingAccessCriteria: conflict }) => {
    const items = (conflict.criteria ?? Object.values(conflict)).flatMap(({ criteriaList }) => criteriaList);
    const names = items.map(({ name, existing }) => `${name} (${existing ? 'held' : 'requested'})`);
    return `  ${policy.level} ${policy.name}: ${names.join(' + ')}`;
  });
  const count = lines.length === 1 ? '1 violation' : `${lines.length} violations`;
  return [`The answer to expect has ${count} in "violationContexts":`, '', ...lines];
}

const tokenCall = (addresses, client) =>
  `token=$(curl -s http://${addresses.local}/oauth/token${hostHeader(addresses)} -d grant_type=client_credentials ` +
  `--data-urlencode ${quote(`client_id=${client?.clientId ?? '<client id>'}`)} --data-urlencode ${secretArgument(client)} ` +
  `| sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')`;

/** The shell reads the secret from where it is, so that it is in no terminal, log or history. */
function secretArgument(client) {
  if (client === null) return quote('client_secret=<client secret>');
  if (client.file === null) return `"client_secret=$${VARIABLE}"`;
  return `"client_secret=$(sed -n 's/.*"clientSecret" *: *"\\([^"]*\\)".*/\\1/p' ${quote(client.file)})"`;
}

const predictCall = (addresses) =>
  `curl -s http://${addresses.local}/sod-violations/v1/predict${hostHeader(addresses)} -H "Authorization: Bearer $token" ` +
  `-H 'Content-Type: application/json' -d ${quote(demoRequest)}`;

const importCall = (addresses) =>
  `curl -s http://${addresses.local}/access-model/v1/import${hostHeader(addresses)} -H "Authorization: Bearer $token" ` +
  `-H 'Content-Type: application/x-ndjson' --data-binary @tooling/sample/sample.ndjson`;

// Curl connects to this machine; the public name goes into the `Host` header.
const hostHeader = ({ local, publicHost }) => (publicHost === local ? '' : ` -H ${quote(`Host: ${publicHost}`)}`);

const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
