import { type IdentityNames, type IdentityRef, showOwner } from '../../access/model/owner.ts';

/** A compensating control, which may be applied to a violation for a limited time. */
export interface Control {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** Names of owners are informative: answers show the present ones. */
  readonly owner: IdentityRef | null;
  readonly secondaryOwners: readonly IdentityRef[];
  readonly type: 'Mitigation';
  /** How long an application lasts: a number of hours or days such as `720h` or `20d`. */
  readonly expiration: string;
  /** Whether an application needs a comment. */
  readonly justificationRequired: boolean;
  /** ISO 8601 in UTC with milliseconds. */
  readonly created: string;
  readonly modified: string;
}

/** The most secondary owners of a control. */
export const CONTROL_SECONDARY_OWNERS_MAX = 10;

/** The longest time for which a control is applied, in days; the shortest is an hour. */
export const CONTROL_DAYS_MAX = 366;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UNIT_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS };

/** The length of an expiration such as `720h` or `20d` in milliseconds; null for any other text, less than an hour, or more than 366 days. */
export function expirationMs(text: string): number | null {
  const [, count, unit = ''] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  const ms = Number(count ?? 0) * (UNIT_MS[unit] ?? 0);
  return ms >= HOUR_MS && ms <= CONTROL_DAYS_MAX * DAY_MS ? ms : null;
}

/** The ids of the owners of a control. */
export const ownersOf = ({ owner, secondaryOwners }: Pick<Control, 'owner' | 'secondaryOwners'>): readonly string[] =>
  [owner, ...secondaryOwners].flatMap((each) => each?.id ?? []);

/** A control as answers show it. Owners that do not exist any more are left out. */
export const showControl = (control: Control, names: IdentityNames): Control => ({
  ...control,
  owner: showOwner(control.owner?.id ?? null, names),
  secondaryOwners: control.secondaryOwners.flatMap(({ id }) => showOwner(id, names) ?? []),
});
