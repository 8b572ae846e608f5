import { limitRows } from './published-limits.ts';

/** The heading before the limits, which the reference page shows below the operations. */
export const LIMITS_HEADING = '## Limits';

/** The description of the document: how to begin, then what all operations have in common, then the limits. */
export const createGuide = (): string => `${GUIDE}

${LIMITS_HEADING}

| limit | most | answer beyond | setting |
|---|---|---|---|
${limitRows().join('\n')}`;

const GUIDE = `Decides who may administer what in a tenant, and says before access is granted which separation-of-duties (SOD) policies the grant would violate.

## Get a token

Every request needs an access token of a client, or, from this page, the session of a person who has signed in at \`/login\`. \`npm start\` makes the first client and says where its id and secret are.

- **On this page:** choose *Authorize*, enter both, select the scopes, and choose *Authorize* again. *Execute* then sends requests with the token. They change real data.
- **In a shell:** the token is valid for 15 minutes.

\`\`\`sh
token=$(curl -s "$address/oauth/token" -d grant_type=client_credentials -d client_id="$id" --data-urlencode client_secret="$secret" | sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')
curl -s "$address/sod-policies/v1?limit=2" -H "Authorization: Bearer $token"
\`\`\`

People sign in at \`/login\`. Their session calls the operations that their capabilities allow, from pages of this address alone.

\`POST /oauth-clients/v1\` makes further clients with fewer scopes. The examples are answers to real requests and fit the sample that \`npm start\` loads.

## Conventions

- Bodies are JSON in UTF-8, or one JSON document a line (NDJSON). Unknown properties of a request are refused.
- \`dryRun\` is refused by operations that change something and have no dry-run. Other unknown parameters are ignored.
- Every refusal has the same shape, \`Error\`: a \`detailCode\`, and under \`causes\` what is wrong and where. The \`trackingId\`, also in the header \`X-Request-Id\`, names the request in the log.
- Lists take \`limit\` and \`offset\`; the header \`Link\` has the address of the next page, and with \`count=true\` the header \`X-Total-Count\` has the number of all rows; beside it \`X-Total-Count-Is\` of lists with cursors is \`at-least\` where a count beyond 10,000 was not made to its end.
- Reads of one resource have an \`ETag\`. A write with that value in \`If-Match\` is refused with 412 if the resource has changed.
- Instants are in ISO 8601, in answers in UTC with milliseconds.
- Experimental operations need the header \`X-Service-Experimental: true\`. Current SDKs of SailPoint send no such header: start the service with \`EXPERIMENTAL_HEADER=optional\` for them.`;
