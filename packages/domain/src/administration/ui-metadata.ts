import type { Failure } from '../basics/result/failure.ts';
import { failureOf, type Issue, issuesOf } from '../basics/result/issue.ts';
import { fail, ok, type Result } from '../basics/result/result.ts';
import { plainTextIssueText } from '../basics/result/text.ts';
import { parseEmbeddingOrigins } from './embedding-origins.ts';

/** What the user interface of a tenant shows; null for a property that is not set. */
export interface UiMetadata {
  /** Origins that may embed the UI in an iframe, separated by single spaces, exactly as they were set. */
  readonly iFrameWhitelist: string | null;
  readonly usernameLabel: string | null;
  /** Placeholder of the username field on the login screen. */
  readonly usernameEmptyText: string | null;
}

/** An update: a value replaces the property, null or the text `null` resets it, and a property left out does not change. */
export type UiMetadataUpdate = { readonly [K in keyof UiMetadata]?: string | null };

/** UI metadata in which nothing is set. */
export const UNSET_UI_METADATA: UiMetadata = { iFrameWhitelist: null, usernameLabel: null, usernameEmptyText: null };

/** The longest label or placeholder, in characters. */
export const UI_TEXT_LENGTH_MAX = 200;

/** Applies an update. Fails with all invalid properties: `LengthOutOfRange`, `IllegalValue` or `LimitExceeded`. */
export function updateUiMetadata(current: UiMetadata, update: UiMetadataUpdate): Result<UiMetadata, Failure> {
  const issues: Issue[] = [];
  const after = (name: keyof UiMetadata): string | null => {
    const given = update[name];
    if (given === undefined) return current[name];
    if (given === null || given === 'null') return null;
    issues.push(...(name === 'iFrameWhitelist' ? whitelistIssues(given) : textIssues(name, given)));
    return given;
  };
  const updated = {
    iFrameWhitelist: after('iFrameWhitelist'),
    usernameLabel: after('usernameLabel'),
    usernameEmptyText: after('usernameEmptyText'),
  };
  const failure = failureOf(issues);
  return failure === null ? ok(updated) : fail(failure);
}

function whitelistIssues(text: string): Issue[] {
  const origins = parseEmbeddingOrigins(text);
  return origins.ok ? [] : issuesOf(origins.failure);
}

function textIssues(at: keyof UiMetadata, text: string): Issue[] {
  if (text === '' || text.length > 2 * UI_TEXT_LENGTH_MAX || [...text].length > UI_TEXT_LENGTH_MAX) {
    return [{ type: 'LengthOutOfRange', at, text: `must have 1 to ${UI_TEXT_LENGTH_MAX} characters` }];
  }
  const illegal = plainTextIssueText(text);
  return illegal === null ? [] : [{ type: 'IllegalValue', at, text: illegal }];
}
