import type { Failure } from '../../basics/result/failure.ts';
import { failureOf, type Issue } from '../../basics/result/issue.ts';
import { fail, ok, type Result } from '../../basics/result/result.ts';
import { plainTextIssueText } from '../../basics/result/text.ts';
import { logoIssue } from './logo.ts';

/** How the pages of a tenant present it; null for what is not set. */
export interface Branding {
  /** In place of the name of this product. */
  readonly title: string | null;
  /** A `data:` URL of a PNG, exactly as it was set. */
  readonly logo: string | null;
  /** What people are told beside the form of sign-in. Plain text. */
  readonly helpText: string | null;
}

/** An update: a value replaces the property, null or the text `null` resets it, and a property left out does not change. */
export type BrandingUpdate = { readonly [K in keyof Branding]?: string | null };

/** Branding in which nothing is set. */
export const UNSET_BRANDING: Branding = { title: null, logo: null, helpText: null };

/** The longest texts, in characters. */
export const BRANDING_LENGTH_MAX = { title: 100, helpText: 500 } as const;

/** Applies an update. Fails with all invalid properties: `LengthOutOfRange` or `IllegalValue`. */
export function updateBranding(current: Branding, update: BrandingUpdate): Result<Branding, Failure> {
  const issues: Issue[] = [];
  const after = (name: keyof Branding): string | null => {
    const given = update[name];
    if (given === undefined) return current[name];
    if (given === null || given === 'null') return null;
    const issue = name === 'logo' ? logoIssue(given) : textIssue(given, BRANDING_LENGTH_MAX[name]);
    if (issue !== null) issues.push({ ...issue, at: name });
    return given;
  };
  const updated = { title: after('title'), logo: after('logo'), helpText: after('helpText') };
  const failure = failureOf(issues);
  return failure === null ? ok(updated) : fail(failure);
}

function textIssue(text: string, lengthMax: number): Omit<Issue, 'at'> | null {
  if (text === '' || text.length > 2 * lengthMax || [...text].length > lengthMax)
    return { type: 'LengthOutOfRange', text: `must have 1 to ${lengthMax} characters` };
  const illegal = plainTextIssueText(text);
  return illegal === null ? null : { type: 'IllegalValue', text: illegal };
}
