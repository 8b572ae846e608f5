import {
  APPLICATION_ID_LENGTH_MAX,
  APPLICATION_NAME_LENGTH_MAX,
  CAPABILITIES_MAX,
  CAUSES_MAX,
  CHECK_CONTEXTS_MAX,
  CHECK_RESULT_BYTES_MAX,
  CHECK_WORK_BYTES_MAX,
  DRY_RUN_POLICIES_MAX,
  EMBEDDING_ORIGINS_MAX,
  EXPLAINED_INSTANTS_MAX,
  EXPLAINING_ADVICE_BYTES_MAX,
  EXPLAINING_BUNDLES_BYTES_MAX,
  IMPORT_WARNINGS_MAX,
  OPEN_REPORTS_MAX,
  PATCH_COPIED_NODES_MAX,
  PATCH_DEPTH_MAX,
  PATCH_OPERATIONS_MAX,
  REPORT_KEPT_DAYS,
  REPORTS_KEPT_MAX,
  RESOURCE_ID_LENGTH_MAX,
  SOD_EXCEPTION_DAYS_MAX,
  SOD_POLICY_ITEMS_MAX,
  SOD_POLICY_SIDES_MAX,
  TENANT_NAME_LENGTH_MAX,
  TIMED_ASSIGNMENTS_MAX,
  UI_TEXT_LENGTH_MAX,
} from '@access-admin/domain';

const KIB = 1024;

/** How deep a JSON body may nest. */
export const JSON_DEPTH_MAX = 32;
/** The longest request target, in bytes. */
export const URL_BYTES_MAX = 2 * KIB;
/** All headers of a request, names and values, together with its target, in bytes. */
export const HEADER_BYTES_MAX = 16 * KIB;
/** Characters of an access token. */
export const TOKEN_LENGTH_MAX = 8 * KIB;
/** Characters of a client's or identity's id in a token of another issuer. */
export const CALLER_ID_LENGTH_MAX = 256;
/** Bodies of PATCH, PUT, token and client requests, in bytes. */
export const SMALL_BODY_BYTES_MAX = 64 * KIB;
/** Bodies of predict and check, in bytes. */
export const SOD_BODY_BYTES_MAX = 256 * KIB;
/** Body of an import, in bytes. */
export const IMPORT_BODY_BYTES_MAX = 16 * KIB * KIB;
/** Body of a batch of predictions, in bytes. */
export const BATCH_BODY_BYTES_MAX = 4 * KIB * KIB;
/** Body of a dry-run, in bytes. */
export const DRY_RUN_BODY_BYTES_MAX = 16 * KIB * KIB;
/** Characters of one policy of a dry-run. */
export const DRY_RUN_POLICY_LENGTH_MAX = KIB * KIB;
/** Sum over all bodies of more than one packet that one process reads or handles at the same time, in bytes. */
export const LARGE_BODIES_BYTES_MAX = 64 * KIB * KIB;
/** Results of checks that are too large to be read at once with their checks, sent by one process at the same time, in bytes. */
export const LARGE_RESULTS_BYTES_MAX = 64 * KIB * KIB;
/** The longest work on one request, in seconds: from when it has been read until its answer is complete. */
export const REQUEST_WORK_SECONDS_MAX = 30;
/** Explained predictions under way in one process; those that wait, and for how long at most. */
export const EXPLAINED_AT_ONCE_MAX = 6;
export const EXPLAINED_WAITING_MAX = 1_000;
export const EXPLAINED_WAIT_SECONDS_MAX = 20;
/** Requests that a connection sends ahead of their responses. */
export const PIPELINED_MAX = 256;
/** Characters of one line of an import. */
export const IMPORT_LINE_LENGTH_MAX = KIB * KIB;
/** Access refs of one predict or check. */
export const ACCESS_REFS_MAX = 500;
/** Requests of one batch of predictions. */
export const PREDICT_BATCH_MAX = 1000;
/** Keys of the client metadata of a check; characters of a key and of a value. */
export const METADATA_KEYS_MAX = 50;
export const METADATA_KEY_LENGTH_MAX = 64;
export const METADATA_VALUE_LENGTH_MAX = 512;
/** Rows of one page of a list, and the largest offset of a page. */
export const PAGE_LIMIT_MAX = 250;
export const PAGE_OFFSET_MAX = 999_999_999;
/** Characters of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
/** Longest wait for a check's result, in seconds. */
export const PREFER_WAIT_SECONDS_MAX = 30;
/** The default of `RATE_LIMIT`: requests of one client to one process within a window. */
export const RATE_LIMIT_DEFAULT = { requests: 1000, windowSeconds: 10 } as const;
/** The longest time for the headers of a request, and for a whole request, to arrive, in seconds. */
export const HEADERS_SECONDS_MAX = 10;
export const REQUEST_SECONDS_MAX = 13;
/** The longest time in which a client reads nothing of a response, and a connection is idle, in seconds. */
export const UNTAKEN_SECONDS_MAX = 9;
export const IDLE_SECONDS_MAX = 65;
/** The slowest rate at which a client may take an answer that waits for it, in bytes a second, and the time over which it is measured. */
export const ANSWER_RATE_BYTES_MIN = 64 * KIB;
export const ANSWER_RATE_SECONDS = 30;
/** The longest time from the head of an answer to its end, in seconds. */
export const ANSWER_SECONDS_MAX = 600;
/** Token requests that wait in one process for their secret to be verified. */
export const WAITING_SECRETS_MAX = 500;
/** Exports that one process answers, and those of them that it reads from the database, at the same time. */
export const EXPORTS_MAX = 32;
export const EXPORT_READS_MAX = 8;
/** How long an export waits to be read, in seconds. */
export const EXPORT_WAIT_SECONDS_MAX = 10;
/** Text of exports that waits for its readers on the disk of one process, compressed, in bytes. */
export const EXPORT_SPOOL_BYTES_MAX = KIB * KIB * KIB;
/** How long the database is kept as of the instant of an export that finds no room on disk, in seconds. */
export const EXPORT_HELD_SECONDS_MAX = 30;
/** Open connections of one process. */
export const CONNECTIONS_MAX = 10_000;
/** Pending checks of one tenant. */
export const CHECK_BACKLOG_MAX = 100_000;
/** Characters of a name, of another attribute of a record, and of a longer text such as a description. */
export const NAME_LENGTH_MAX = 256;
export const ATTRIBUTE_LENGTH_MAX = 512;
export const TEXT_LENGTH_MAX = 4000;
/** Characters of the justification of an exception. */
export const JUSTIFICATION_LENGTH_MAX = 4000;
/** Tags of a policy. */
export const TAGS_MAX = 50;

/** A limit as the OpenAPI document and docs/limits.md state it. */
export interface PublishedLimit {
  readonly what: string;
  /** The largest accepted value, with its unit. */
  readonly most: string;
  /** The status and detail code of a request beyond the limit. */
  readonly over: string;
  /** The environment variable that changes it, or `no`. */
  readonly setting: string;
}

const grouped = (count: number) => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
const inKib = (count: number) => (count < KIB * KIB ? `${count / KIB} KiB` : `${count / KIB / KIB} MiB`);
const bytes = (count: number) => `${grouped(count)} bytes (${inKib(count)})`;
const characters = (count: number) => `${grouped(count)} characters`;

function limit(what: string, most: number | string, over: string): PublishedLimit {
  return { what, most: typeof most === 'number' ? grouped(most) : most, over, setting: 'no' };
}

const TOO_LARGE = '413 `413`';
const TOO_MANY = '400 `400.1.4`';
const BAD_LENGTH = '400 `400.1.2`';
const FIRST_SHOWN = 'the first ones are shown, the others counted';
const ILLEGAL = '400 `400.1.3`';

/** Every limit that a caller can meet, in the order of docs/limits.md. */
export const PUBLISHED_LIMITS = {
  url: limit('Request target (path and query)', bytes(URL_BYTES_MAX), '414 without a body'),
  headers: limit('Names and values of all headers and the target', bytes(HEADER_BYTES_MAX), '431 without a body'),
  token: limit('Access token', characters(TOKEN_LENGTH_MAX), '401 `401`'),
  callerId: limit(
    '`client_id`, `identity_id` in a token of an external issuer',
    characters(CALLER_ID_LENGTH_MAX),
    '401 `401`',
  ),
  smallBody: limit(
    'Body of PATCH, PUT, new clients, SOD policies and exceptions',
    bytes(SMALL_BODY_BYTES_MAX),
    TOO_LARGE,
  ),
  tokenBody: limit('Body of a token request', bytes(SMALL_BODY_BYTES_MAX), '413 `invalid_request`'),
  sodBody: limit('Body of predict and check', bytes(SOD_BODY_BYTES_MAX), TOO_LARGE),
  batchBody: limit('Body of a batch of predictions', bytes(BATCH_BODY_BYTES_MAX), TOO_LARGE),
  importBody: limit('Body of an import', bytes(IMPORT_BODY_BYTES_MAX), TOO_LARGE),
  dryRunBody: limit('Body of a dry-run', bytes(DRY_RUN_BODY_BYTES_MAX), TOO_LARGE),
  dryRunPolicy: limit('Policy of a dry-run', characters(DRY_RUN_POLICY_LENGTH_MAX), TOO_MANY),
  importLine: limit('Line of an import', characters(IMPORT_LINE_LENGTH_MAX), TOO_MANY),
  jsonDepth: limit('Nesting of arrays and objects in JSON', `${JSON_DEPTH_MAX} deep`, '400 `400.1`'),
  patchOperations: limit('Operations of a patch', PATCH_OPERATIONS_MAX, TOO_MANY),
  patchCopies: limit('Values that the copies of a patch create', PATCH_COPIED_NODES_MAX, TOO_MANY),
  patchDepth: limit('Nesting of a patched resource', `${PATCH_DEPTH_MAX} deep`, TOO_MANY),
  accessRefs: limit('Access refs of predict and check', ACCESS_REFS_MAX, TOO_MANY),
  explainedInstants: limit(
    'Instants from now on at which windows of requested and held access begin or end, with `include` and without `at`',
    EXPLAINED_INSTANTS_MAX,
    TOO_MANY,
  ),
  explainingBundles: limit(
    'Roles and access profiles that explain an answer with `include=via`, as JSON of their items',
    bytes(EXPLAINING_BUNDLES_BYTES_MAX),
    `${TOO_MANY}; a check ends in \`ERROR\``,
  ),
  explainingAdvice: limit(
    '`compensatingControls` and `correctionAdvice` in an answer with `include=via`',
    bytes(EXPLAINING_ADVICE_BYTES_MAX),
    `${TOO_MANY}; a check leaves violations out`,
  ),
  timedAssignments: limit('Assignments with a window of an identity', TIMED_ASSIGNMENTS_MAX, TOO_MANY),
  predictBatch: limit('Requests of a batch of predictions', PREDICT_BATCH_MAX, TOO_MANY),
  dryRunPolicies: limit('Policies of a dry-run, those to be removed included', DRY_RUN_POLICIES_MAX, TOO_MANY),
  metadataKeys: limit('Keys of the client metadata of a check', METADATA_KEYS_MAX, TOO_MANY),
  metadataKey: limit('Such a key', `1 to ${characters(METADATA_KEY_LENGTH_MAX)}`, BAD_LENGTH),
  metadataValue: limit('Its value', characters(METADATA_VALUE_LENGTH_MAX), BAD_LENGTH),
  capabilities: limit('Capabilities of an auth user', CAPABILITIES_MAX, TOO_MANY),
  origins: limit('Origins of `iFrameWhitelist`', EMBEDDING_ORIGINS_MAX, TOO_MANY),
  uiText: limit('`usernameLabel`, `usernameEmptyText`', `1 to ${characters(UI_TEXT_LENGTH_MAX)}`, BAD_LENGTH),
  policyItems: limit('Items of one side of an SOD policy', SOD_POLICY_ITEMS_MAX, TOO_MANY),
  policySides: limit('Sides of a k-of-n policy', SOD_POLICY_SIDES_MAX, TOO_MANY),
  policyTags: limit('Tags of an SOD policy', TAGS_MAX, TOO_MANY),
  exceptionWindow: limit('Window of an SOD exception', `${SOD_EXCEPTION_DAYS_MAX} days`, ILLEGAL),
  justification: limit('Justification of an SOD exception', characters(JUSTIFICATION_LENGTH_MAX), BAD_LENGTH),
  recordId: limit('Id of a record', characters(RESOURCE_ID_LENGTH_MAX), BAD_LENGTH),
  pathId: limit('Id in a path', characters(RESOURCE_ID_LENGTH_MAX), '404 `404`'),
  tenantName: limit('Name of a tenant', characters(TENANT_NAME_LENGTH_MAX), ILLEGAL),
  name: limit('Name of a record or a client, tag, `uid`', characters(NAME_LENGTH_MAX), BAD_LENGTH),
  displayName: limit('`displayName`, `alias`, names in criteria and refs', characters(NAME_LENGTH_MAX), BAD_LENGTH),
  attribute: limit('Another attribute of a record', characters(ATTRIBUTE_LENGTH_MAX), BAD_LENGTH),
  longText: limit('`description`, `compensatingControls`, `correctionAdvice`', characters(TEXT_LENGTH_MAX), BAD_LENGTH),
  applicationId: limit('`applicationId`', `1 to ${characters(APPLICATION_ID_LENGTH_MAX)}`, BAD_LENGTH),
  applicationName: limit('`applicationName`', `1 to ${characters(APPLICATION_NAME_LENGTH_MAX)}`, BAD_LENGTH),
  pageLimit: limit('`limit` of a list', `${PAGE_LIMIT_MAX} rows`, ILLEGAL),
  pageOffset: limit('`offset` of a list', PAGE_OFFSET_MAX, ILLEGAL),
  idempotencyKey: limit('`Idempotency-Key` of a check', `1 to ${characters(IDEMPOTENCY_KEY_LENGTH_MAX)}`, ILLEGAL),
  preferWait: limit('`Prefer: wait`', `${PREFER_WAIT_SECONDS_MAX} s`, 'waits that long, and says so'),
  checkContexts: limit('Violations in the result of a check', CHECK_CONTEXTS_MAX, FIRST_SHOWN),
  checkResult: limit(
    'Result of a check',
    bytes(CHECK_RESULT_BYTES_MAX),
    `${FIRST_SHOWN}, or the check ends in \`ERROR\``,
  ),
  checkMemory: limit(
    'Memory of a check beside its data and its result',
    bytes(CHECK_WORK_BYTES_MAX),
    'the check ends in `ERROR`',
  ),
  causes: limit('Causes of a refusal (of unknown access refs: all)', CAUSES_MAX, 'the first ones are named'),
  importWarnings: limit('Warnings of an import', IMPORT_WARNINGS_MAX, 'the first ones are named'),
  headersTime: limit('Time that the headers of a request take', `${HEADERS_SECONDS_MAX} s`, '408 without a body'),
  requestTime: limit('Time that a whole request takes to arrive', `${REQUEST_SECONDS_MAX} s`, '408 without a body'),
  untakenTime: limit('Time in which nothing of an answer is taken', `${UNTAKEN_SECONDS_MAX} s`, 'closed, by a reset'),
  answerRate: limit(
    `Rate at which an answer that waits is taken, over any ${ANSWER_RATE_SECONDS} s`,
    `at least ${bytes(ANSWER_RATE_BYTES_MIN)} a second`,
    'closed, by a reset',
  ),
  answerTime: limit(
    'Time from the first to the last byte of an answer, such as an export',
    `${ANSWER_SECONDS_MAX} s (${ANSWER_SECONDS_MAX / 60} minutes)`,
    'closed, by a reset',
  ),
  idleTime: limit('Time in which nothing is asked on a connection', `${IDLE_SECONDS_MAX} s`, 'closed'),
  requestWork: limit(
    'Time of the work on a request, from when it has been read; lists and exports that are being sent excepted',
    `${REQUEST_WORK_SECONDS_MAX} s`,
    '503 `503`, with `Retry-After` if it has had no effect; an answer that has begun is reset',
  ),
  pipelined: limit(
    'Requests of a connection that wait behind its first unanswered one',
    PIPELINED_MAX,
    'closed, by a reset',
  ),
  largeBodies: limit(
    'Bodies over 64 KiB that one process reads, and those of imports, batches and dry-runs that it handles, together; of one tenant at most as much as it leaves free',
    bytes(LARGE_BODIES_BYTES_MAX),
    '503 `503` with `Retry-After`',
  ),
  explainedAtOnce: limit(
    'Predictions with `include` under way in one process; of one tenant at most as many as it leaves free',
    EXPLAINED_AT_ONCE_MAX,
    'waits its turn',
  ),
  explainedWaiting: limit(
    'Predictions with `include` that wait in one process; of one tenant at most as many as it leaves free',
    EXPLAINED_WAITING_MAX,
    '429 `429` with `Retry-After`',
  ),
  explainedWait: limit(
    'Time that a prediction with `include` waits',
    `${EXPLAINED_WAIT_SECONDS_MAX} s`,
    '429 `429` with `Retry-After`',
  ),
  exports: limit(
    'Exports that one process answers at the same time; a tenant as many as it leaves free',
    EXPORTS_MAX,
    '503 `503` with `Retry-After`',
  ),
  exportReads: limit(
    'Exports that one process reads from the database at the same time; a tenant as many as it leaves free',
    EXPORT_READS_MAX,
    `waits up to ${EXPORT_WAIT_SECONDS_MAX} s, then 503 \`503\` with \`Retry-After\``,
  ),
  exportSpool: limit(
    'Text of exports that waits for its readers on the disk of one process, compressed; of a tenant as much as it leaves free',
    bytes(EXPORT_SPOOL_BYTES_MAX),
    `waits up to ${EXPORT_HELD_SECONDS_MAX} s for room, then closed`,
  ),
  largeResults: limit(
    'Results of checks of more than 64 KiB that one process sends at the same time, together',
    bytes(LARGE_RESULTS_BYTES_MAX),
    '429 `429` with `Retry-After`',
  ),
  waitingSecrets: limit(
    'Token requests whose secret waits to be checked',
    WAITING_SECRETS_MAX,
    '503 `503` with `Retry-After`',
  ),
  connections: limit('Connections to one process', CONNECTIONS_MAX, 'closed unread'),
  backlog: limit('Pending checks of a tenant', CHECK_BACKLOG_MAX, '429 `429` with `Retry-After`'),
  openReports: limit('Reports of a tenant that are not done', OPEN_REPORTS_MAX, '429 `429` with `Retry-After`'),
  keptReports: limit('Reports of a tenant that are kept once they are done', REPORTS_KEPT_MAX, '404 `404`'),
  reportTime: limit('Time that a report is kept once it is done', `${REPORT_KEPT_DAYS} days`, '404 `404`'),
  rate: {
    what: 'Requests of one client to one process',
    most: `${grouped(RATE_LIMIT_DEFAULT.requests)} in ${RATE_LIMIT_DEFAULT.windowSeconds} s`,
    over: '429 `429` with `Retry-After`',
    setting: '`RATE_LIMIT`',
  },
} as const satisfies Record<string, PublishedLimit>;

/** The published limits as rows of a Markdown table: what, most, over, setting. */
export const limitRows = (): readonly string[] =>
  Object.values(PUBLISHED_LIMITS).map(
    ({ what, most, over, setting }) => `| ${what} | ${most} | ${over} | ${setting} |`,
  );
