import {
  APPLICATION_ID_LENGTH_MAX,
  APPLICATION_NAME_LENGTH_MAX,
  CAPABILITIES_MAX,
  CAUSES_MAX,
  CHECK_CONTEXTS_MAX,
  CHECK_RESULT_BYTES_MAX,
  CHECK_WORK_SECONDS_MAX,
  DRY_RUN_POLICIES_MAX,
  EMBEDDING_ORIGINS_MAX,
  EXPLAINED_INSTANTS_MAX,
  EXPLAINING_ADVICE_BYTES_MAX,
  EXPLAINING_BUNDLES_BYTES_MAX,
  EXPLAINING_WORK_BYTES_MAX,
  IMPORT_WARNINGS_MAX,
  LONG_CHECKS_MAX,
  OPEN_REPORTS_MAX,
  PATCH_COPIED_NODES_MAX,
  PATCH_DEPTH_MAX,
  PATCH_OPERATIONS_MAX,
  REPORT_EXCEPTIONS_MAX,
  REPORT_KEPT_DAYS,
  REPORT_TIMED_VIOLATIONS_MAX,
  REPORT_WORK_MINUTES_MAX,
  REPORTS_AT_ONCE_MAX,
  REPORTS_KEPT_MAX,
  RESOURCE_ID_LENGTH_MAX,
  SOD_EXCEPTION_DAYS_MAX,
  SOD_POLICY_ITEMS_MAX,
  SOD_POLICY_SIDES_MAX,
  TENANT_NAME_LENGTH_MAX,
  TIMED_ASSIGNMENTS_MAX,
  UI_TEXT_LENGTH_MAX,
} from '@access-admin/domain';
import {
  ACCESS_REFS_MAX,
  ANSWER_RATE_BYTES_MIN,
  ANSWER_RATE_SECONDS,
  ANSWER_SECONDS_MAX,
  ATTRIBUTE_LENGTH_MAX,
  BATCH_BODY_BYTES_MAX,
  CALLER_ID_LENGTH_MAX,
  CHECK_BACKLOG_MAX,
  CONNECTIONS_MAX,
  DRY_RUN_BODY_BYTES_MAX,
  DRY_RUN_POLICY_LENGTH_MAX,
  EXPLAINED_AT_ONCE_MAX,
  EXPLAINED_WAIT_SECONDS_MAX,
  EXPLAINED_WAITING_MAX,
  EXPORT_HELD_SECONDS_MAX,
  EXPORT_READS_MAX,
  EXPORT_SPOOL_BYTES_MAX,
  EXPORT_WAIT_SECONDS_MAX,
  EXPORTS_MAX,
  HEADER_BYTES_MAX,
  HEADERS_SECONDS_MAX,
  IDEMPOTENCY_KEY_LENGTH_MAX,
  IDLE_SECONDS_MAX,
  IMPORT_BODY_BYTES_MAX,
  IMPORT_LINE_LENGTH_MAX,
  JSON_DEPTH_MAX,
  JUSTIFICATION_LENGTH_MAX,
  LARGE_BODIES_BYTES_MAX,
  LARGE_RESULTS_BYTES_MAX,
  METADATA_KEY_LENGTH_MAX,
  METADATA_KEYS_MAX,
  METADATA_VALUE_LENGTH_MAX,
  NAME_LENGTH_MAX,
  PAGE_LIMIT_MAX,
  PAGE_OFFSET_MAX,
  PIPELINED_MAX,
  PREDICT_BATCH_MAX,
  PREFER_WAIT_SECONDS_MAX,
  RATE_LIMIT_DEFAULT,
  REQUEST_SECONDS_MAX,
  REQUEST_WORK_SECONDS_MAX,
  SMALL_BODY_BYTES_MAX,
  SOD_BODY_BYTES_MAX,
  TAGS_MAX,
  TEXT_LENGTH_MAX,
  TOKEN_LENGTH_MAX,
  UNTAKEN_SECONDS_MAX,
  URL_BYTES_MAX,
  WAITING_SECRETS_MAX,
} from '../limits.ts';

const KIB = 1024;

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

const REPORT_ENDS = 'the report ends in `ERROR`';

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
    'Memory of a check or of a prediction, beside its data and its result',
    bytes(EXPLAINING_WORK_BYTES_MAX),
    `${TOO_MANY}, after the first byte a reset; a check ends in \`ERROR\``,
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
    'Predictions with `include`, or of more than a millisecond of work, under way in one process; of one tenant at most as many as it leaves free',
    EXPLAINED_AT_ONCE_MAX,
    'waits its turn',
  ),
  explainedWaiting: limit(
    'Such predictions that wait in one process; of one tenant at most as many as it leaves free',
    EXPLAINED_WAITING_MAX,
    '429 `429` with `Retry-After`',
  ),
  explainedWait: limit(
    'Time that such a prediction waits',
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
    `is made as its reader takes it, and closed once it has waited for ${EXPORT_HELD_SECONDS_MAX} s`,
  ),
  largeResults: limit(
    'Results of checks of more than 64 KiB that one process sends at the same time, together',
    bytes(LARGE_RESULTS_BYTES_MAX),
    '429 `429` with `Retry-After`',
  ),
  waitingSecrets: limit(
    'Token requests whose secret waits to be checked, and as many new clients whose secret waits to be hashed',
    WAITING_SECRETS_MAX,
    '503 `503` with `Retry-After`',
  ),
  connections: limit('Connections to one process', CONNECTIONS_MAX, 'closed unread'),
  backlog: limit('Pending checks of a tenant', CHECK_BACKLOG_MAX, '429 `429` with `Retry-After`'),
  openReports: limit('Reports of a tenant that are not done', OPEN_REPORTS_MAX, '429 `429` with `Retry-After`'),
  keptReports: limit('Reports of a tenant that are kept once they are done', REPORTS_KEPT_MAX, '404 `404`'),
  reportTime: limit('Time that a report is kept once it is done', `${REPORT_KEPT_DAYS} days`, '404 `404`'),
  checkWork: limit('Work of a worker on a check', `${CHECK_WORK_SECONDS_MAX} s`, 'the check ends in `ERROR`'),
  reportWork: limit('Work of a worker on a report', `${REPORT_WORK_MINUTES_MAX} minutes`, REPORT_ENDS),
  reportExceptions: limit('Approved exceptions that a report keeps in memory', REPORT_EXCEPTIONS_MAX, REPORT_ENDS),
  reportTimed: limit('Violations of one identity that a report keeps', REPORT_TIMED_VIOLATIONS_MAX, REPORT_ENDS),
  longChecks: limit(
    'Checks that take more than 10 ms and are under way in one worker at the same time, each of another tenant',
    LONG_CHECKS_MAX,
    'waits its turn',
  ),
  reportsAtOnce: limit(
    'Reports that are under way in one worker at the same time, each of another tenant',
    REPORTS_AT_ONCE_MAX,
    'waits its turn',
  ),
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
