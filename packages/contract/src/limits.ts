const KIB = 1024;

/** How deep a JSON body may nest. */
export const JSON_DEPTH_MAX = 32;
/** The longest request target, in bytes. */
export const URL_BYTES_MAX = 2 * KIB;
/** For a page: an identity provider redirects to one with a code that may be long. */
export const PAGE_URL_BYTES_MAX = 8 * KIB;
/** All headers of a request, names and values, together with its target, in bytes. */
export const HEADER_BYTES_MAX = 48 * KIB;
/** Characters of an access token. */
export const TOKEN_LENGTH_MAX = 32 * KIB;
/** Characters of a client's or identity's id in a token of another issuer. */
export const CALLER_ID_LENGTH_MAX = 256;
/** What callers are told of a body that is too large. */
export const tooLargeText = (bytesMax: number): string => `The body can have at most ${bytesMax} bytes.`;
/** Bodies of PATCH, PUT, token and client requests, in bytes. */
export const SMALL_BODY_BYTES_MAX = 64 * KIB;
/** Bodies of predict, check, AuthZEN and the branding, in bytes. */
export const SOD_BODY_BYTES_MAX = 256 * KIB;
/** Body of an import, in bytes. */
export const IMPORT_BODY_BYTES_MAX = 16 * KIB * KIB;
/** Body of a batch of predictions, in bytes. */
export const BATCH_BODY_BYTES_MAX = 4 * KIB * KIB;
/** Body of a dry-run, in bytes. */
export const DRY_RUN_BODY_BYTES_MAX = 16 * KIB * KIB;
/** Body of a user or a group of SCIM, in bytes: 50,000 members take about half of them. */
export const SCIM_BODY_BYTES_MAX = 8 * KIB * KIB;
/** Body of a Bulk request of SCIM, in bytes, and its operations. */
export const SCIM_BULK_BYTES_MAX = KIB * KIB;
export const SCIM_BULK_OPERATIONS_MAX = 1_000;
/** Resources of a page of SCIM. */
export const SCIM_COUNT_MAX = 1_000;
/** Characters of one policy of a dry-run. */
export const DRY_RUN_POLICY_LENGTH_MAX = KIB * KIB;
/** Sum over all bodies of more than 64 KiB that one process reads or handles at the same time, in bytes. */
export const LARGE_BODIES_BYTES_MAX = 64 * KIB * KIB;
/** Results of checks that are too large to be read at once with their checks, sent by one process at the same time, in bytes. */
export const LARGE_RESULTS_BYTES_MAX = 64 * KIB * KIB;
/** The longest work on one request, in seconds: from when it has been read until its answer is complete. */
export const REQUEST_WORK_SECONDS_MAX = 30;
/** Explained predictions under way in one process; those that wait, and for how long at most. */
export const EXPLAINED_AT_ONCE_MAX = 6;
export const EXPLAINED_WAITING_MAX = 2_000;
export const EXPLAINED_WAIT_SECONDS_MAX = 20;
/** Counts of lists with cursors under way in one process; those that wait, and for how long at most. */
export const COUNTS_AT_ONCE_MAX = 3;
export const COUNTS_WAITING_MAX = 300;
export const COUNT_WAIT_SECONDS_MAX = 10;
/** Requests that a connection sends ahead of their responses. */
export const PIPELINED_MAX = 256;
/** Characters of the name and of the description of a source. */
export const SOURCE_NAME_LENGTH_MAX = 128;
export const SOURCE_DESCRIPTION_LENGTH_MAX = 1024;
/** Characters of one line of an import. */
export const IMPORT_LINE_LENGTH_MAX = KIB * KIB;
/** Access refs of one predict or check. */
export const ACCESS_REFS_MAX = 500;
/** Questions of one request of evaluations. */
export const EVALUATIONS_MAX = 1000;
/** Results of a page of a search of AuthZEN: the most, and the default. */
export const SEARCH_LIMIT_MAX = 1000;
export const SEARCH_LIMIT_DEFAULT = 100;
/** Characters of the `X-Request-ID` of a request that its answer repeats. */
export const REQUEST_ID_LENGTH_MAX = 256;
/** Policies, and identities, that a fix plan names. */
export const FIX_PLAN_IDS_MAX = 500;
/** Requests of one batch of predictions. */
export const PREDICT_BATCH_MAX = 1000;
/** Characters of the reference of a reservation. */
export const REFERENCE_LENGTH_MAX = 256;
/** Keys of the client metadata of a check; characters of a key and of a value. */
export const METADATA_KEYS_MAX = 50;
export const METADATA_KEY_LENGTH_MAX = 64;
export const METADATA_VALUE_LENGTH_MAX = 512;
/** Rows per page, and the largest offset. In a list with cursors, pages beyond it need a cursor. */
export const PAGE_LIMIT_MAX = 250;
export const PAGE_OFFSET_MAX = 999_999_999;
export const CURSOR_LIST_OFFSET_MAX = 10_000;
/** The fewest characters of a part of a text that look-ups search. */
export const SEARCH_LENGTH_MIN = 3;
/** Characters of an `Idempotency-Key`. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
/** Longest wait for a check's result, in seconds. */
export const PREFER_WAIT_SECONDS_MAX = 30;
/** The default of `RATE_LIMIT`: requests of one client to one process within a window. */
export const RATE_LIMIT_DEFAULT = { requests: 1000, windowSeconds: 10 } as const;
/** Attempts to log in of one address, and with one username, at one process within a window. */
export const LOGINS_OF_ADDRESS_MAX = 100;
export const LOGINS_OF_USERNAME_MAX = 10;
export const LOGIN_WINDOW_SECONDS = 60;
/** The longest time for the headers of a request, and for a whole request, to arrive, in seconds. */
export const HEADERS_SECONDS_MAX = 10;
export const REQUEST_SECONDS_MAX = 13;
/** The longest time in which a client reads nothing of a response, and a connection is idle, in seconds. */
export const UNTAKEN_SECONDS_MAX = 15;
export const IDLE_SECONDS_MAX = 65;
/** The slowest rate at which a client may take an answer that waits for it, in bytes a second, and the time over which it is measured. */
export const ANSWER_RATE_BYTES_MIN = 64 * KIB;
export const ANSWER_RATE_SECONDS = 30;
/** The longest time from the head of an answer to its end, in seconds. */
export const ANSWER_SECONDS_MAX = 600;
/** Token requests that wait in one process for their secret to be verified; also new clients that wait for theirs to be hashed. */
export const WAITING_SECRETS_MAX = 500;
/** Exports that one process answers at the same time, and how long one waits for its turn, in seconds. */
export const EXPORTS_MAX = 8;
export const EXPORT_WAIT_SECONDS_MAX = 10;
/** Events of one page, and the default. */
export const EVENTS_LIMIT_MAX = 1000;
/** Streams of events, and reads that wait for the next event, of one process. */
export const EVENT_STREAMS_MAX = 1_000;
/** Bytes of events that one process has read for streams and their readers have not taken, together. */
export const EVENT_BYTES_MAX = 32 * KIB * KIB;
/** Replays of one webhook at one process: one in so many seconds. */
export const WEBHOOK_REPLAY_SECONDS = 60;
/** Characters of the URL of a webhook. */
export const WEBHOOK_URL_LENGTH_MAX = 2048;
/** Patterns of types of a webhook. */
export const WEBHOOK_TYPES_MAX = 50;
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
/** Characters of the comment on a decision about an exception, or on a step of a fix plan that is handed over. */
export const DECISION_COMMENT_LENGTH_MAX = 1000;
/** Characters of the name and of the description of a control. */
export const CONTROL_NAME_LENGTH_MAX = 128;
export const CONTROL_DESCRIPTION_LENGTH_MAX = 1024;
/** Ranges and countries of the network config: every pair of letters. */
export const NETWORK_RANGES_MAX = 500;
export const NETWORK_COUNTRIES_MAX = 676;
/** Characters of the id and of the name of the application of an auth profile. */
export const APPLICATION_ID_LENGTH_MAX = 128;
export const APPLICATION_NAME_LENGTH_MAX = 256;
/** Origins that may embed the UI. */
export const EMBEDDING_ORIGINS_MAX = 100;
/** All of these, in bytes, with the spaces between them: the header with them has at most 3,500, as proxies refuse one of more than 4 KiB. */
export const EMBEDDING_ORIGINS_BYTES_MAX = 3_200;
/** The decoded picture of a logo, in bytes. */
export const LOGO_BYTES_MAX = 64 * KIB;
/** Pixels of a logo in each direction: a small file can decode to a picture that exhausts a browser's memory. */
export const LOGO_PIXELS_MAX = 1024;
/** Characters of a label or placeholder of the UI metadata, and of the texts of the branding. */
export const UI_TEXT_LENGTH_MAX = 200;
export const BRANDING_TITLE_LENGTH_MAX = 100;
export const BRANDING_HELP_LENGTH_MAX = 500;
/** Days of the trend in the summary of violations: the default, and the most. */
export const SUMMARY_DAYS = 30;
export const SUMMARY_DAYS_MAX = 400;
/** Secondary owners and allowed controls of a policy, of each. */
export const KEPT_REFS_MAX = 50;
/** Tags of a policy. */
export const TAGS_MAX = 50;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The most work of a worker on one check, in seconds. */
export const CHECK_WORK_SECONDS_MAX = 30;

/** The most checks with `include` that one worker has under way at the same time, each of another tenant. */
export const LONG_CHECKS_MAX = 3;

/** The most work of a worker on one report, in minutes. */
export const REPORT_WORK_MINUTES_MAX = 10;

/** The most reports that one worker makes at the same time, each of another tenant. */
export const REPORTS_AT_ONCE_MAX = 4;

/** The most approved exceptions that a report keeps in memory. */
export const REPORT_EXCEPTIONS_MAX = 200_000;
/** Violations that a fix plan keeps in memory. */
export const FIX_PLAN_VIOLATIONS_MAX = 250_000;

/** The most attempts that one worker makes at the same time, of all tenants and of one. */
export const WEBHOOK_ATTEMPTS_MAX = 512;
export const WEBHOOK_ATTEMPTS_OF_TENANT_MAX = 128;

/** The most bytes of large events that one worker has in memory for deliveries, of all tenants and of one. */
export const WEBHOOK_LARGE_BYTES_MAX = 64 * 1024 * 1024;
export const WEBHOOK_LARGE_BYTES_OF_TENANT_MAX = 16 * 1024 * 1024;

/** In how many seconds a receiver has to answer. */
export const WEBHOOK_ANSWER_SECONDS_MAX = 15;

/** How much of the answer of a receiver is read, in bytes. */
export const WEBHOOK_ANSWER_BYTES_MAX = 64 * 1024;

/** The delays after the first failed attempt, the second and so on, in milliseconds. */
export const WEBHOOK_RETRY_DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;
