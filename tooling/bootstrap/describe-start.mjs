import { demoRequest } from './sample.mjs';

/** The text that `npm start` prints last: the addresses, the client's credentials, and a call to paste into a shell. */
export function describeStart({ addresses, client, token, tenant, prediction }) {
  const known = token !== null;
  const credentials = known ? client : { clientId: '<client id>', clientSecret: '<client secret>' };
  return [
    '',
    'access-admin is running. Stop it with Ctrl-C.',
    '',
    `  Base address   ${addresses.base}`,
    `  Reference      ${addresses.base}/docs`,
    `  Tenant         ${tenant}`,
    `  Client         ${credentials.clientId}`,
    `  Secret         ${credentials.clientSecret}`,
    ...(known ? [] : ['', ...whyUnknown(client)]),
    '',
    ...paragraphOfCalls({ addresses, credentials, prediction, known }),
    '',
  ].join('\n');
}

const whyUnknown = (client) => [
  client === null
    ? 'The store already had clients when this service first started here, so their secrets are not known.'
    : 'The store does not know the client of the environment or of var/bootstrap-client.json: it already had clients.',
  'Put in a client of yours below.',
];

function paragraphOfCalls({ addresses, credentials, prediction, known }) {
  const token = tokenCall(addresses, credentials);
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

const tokenCall = (addresses, { clientId, clientSecret }) =>
  `token=$(curl -s http://${addresses.local}/oauth/token${hostHeader(addresses)} -d grant_type=client_credentials ` +
  `--data-urlencode ${quote(`client_id=${clientId}`)} --data-urlencode ${quote(`client_secret=${clientSecret}`)} ` +
  `| sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')`;

const predictCall = (addresses) =>
  `curl -s http://${addresses.local}/sod-violations/v1/predict${hostHeader(addresses)} -H "Authorization: Bearer $token" ` +
  `-H 'Content-Type: application/json' -d ${quote(demoRequest)}`;

const importCall = (addresses) =>
  `curl -s http://${addresses.local}/access-model/v1/import${hostHeader(addresses)} -H "Authorization: Bearer $token" ` +
  `-H 'Content-Type: application/x-ndjson' --data-binary @tooling/sample/sample.ndjson`;

// Curl connects to this machine; the public name goes into the `Host` header.
const hostHeader = ({ local, publicHost }) => (publicHost === local ? '' : ` -H ${quote(`Host: ${publicHost}`)}`);

const quote = (text) => `'${text.replaceAll("'", `'\\''`)}'`;
