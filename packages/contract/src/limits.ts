const KIB = 1024;

/** How deep a JSON body may nest. */
export const JSON_DEPTH_MAX = 32;
/** The longest request target, in bytes. */
export const URL_BYTES_MAX = 2 * KIB;
/** Bodies of PATCH, PUT, token and client requests, in bytes. */
export const SMALL_BODY_BYTES_MAX = 64 * KIB;
/** Bodies of predict and check, in bytes. */
export const SOD_BODY_BYTES_MAX = 256 * KIB;
/** Body of an import, in bytes. */
export const IMPORT_BODY_BYTES_MAX = 16 * KIB * KIB;
/** Characters of one line of an import. */
export const IMPORT_LINE_LENGTH_MAX = KIB * KIB;
/** Access refs of one predict or check. */
export const ACCESS_REFS_MAX = 500;
/** Keys of the client metadata of a check, and the characters of a key and of a value. */
export const METADATA_KEYS_MAX = 50;
export const METADATA_KEY_LENGTH_MAX = 64;
export const METADATA_VALUE_LENGTH_MAX = 512;
/** Rows of one page of a list. */
export const PAGE_LIMIT_MAX = 250;
/** Longest wait for a check's result, in seconds. */
export const PREFER_WAIT_SECONDS_MAX = 30;
/** Pending checks of one tenant. */
export const CHECK_BACKLOG_MAX = 100_000;
/** Characters of a name, of another attribute of a record, and of a longer text such as a description. */
export const NAME_LENGTH_MAX = 256;
export const ATTRIBUTE_LENGTH_MAX = 512;
export const TEXT_LENGTH_MAX = 4000;
/** Tags of a policy. */
export const TAGS_MAX = 50;
