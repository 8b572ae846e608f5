import type { Leases } from '../queue/leases.ts';
import type { MailData, MailKind, NewMail } from '../record/mail/append.ts';

/** A mail that was given up. */
export interface LostMail {
  readonly tenant: string;
  readonly id: string;
  readonly kind: MailKind;
  /** Null where mails to several are to take its place. */
  readonly recipientId: string | null;
}

/** A mail that a worker sends until its lease ends. */
export interface MailClaim extends LostMail {
  readonly fence: number;
  readonly data: MailData;
  /** A sealed address; null for none. */
  readonly secret: string | null;
  readonly created: string;
  /** How often it has been put off. */
  readonly failures: number;
}

/** An identity as one writes to it. */
export interface MailRecipient {
  readonly id: string;
  readonly name: string | null;
  readonly email: string | null;
  /** The tags of the languages that its record has, the preferred one first. */
  readonly languages: readonly string[];
}

/** How many violations of a level are open. */
export interface OwnedViolations {
  readonly ownerId: string;
  /** 1 for low to 4 for critical. */
  readonly levelRank: number;
  readonly count: number;
}

export interface MailPeriod {
  readonly now: string;
  readonly until: string;
  readonly week: string;
  readonly weekEndMs: number;
}

/** The mails of each tenant until they are sent. Those that are due can be claimed. */
export interface MailStore extends Leases<MailClaim> {
  /** Ends a mail that is sent or given up; nothing happens when another worker has it. */
  end(claim: MailClaim): Promise<void>;
  /** Puts a mail off. */
  postpone(claim: MailClaim, dueMs: number): Promise<void>;
  /** Stores mails in place of a claimed one. */
  spread(claim: MailClaim, time: string, mails: readonly NewMail[]): Promise<void>;
  /** The active identities that may approve exceptions. */
  findApprovers(tenant: string): Promise<readonly string[]>;
  /** The open violations of each owner, by the rank of their level. */
  countByOwner(tenant: string): Promise<readonly OwnedViolations[]>;
  /**
   * Stores what is mailed once in a period: each approved exception that ends until `until`, and the weekly summary `week`, which is
   * kept until `weekEndMs`. Times are ISO 8601 in UTC with milliseconds.
   */
  addOfPeriod(tenant: string, period: MailPeriod): Promise<void>;
  /** Null where there is no such identity, or it is not active. */
  findRecipient(tenant: string, id: string): Promise<MailRecipient | null>;
  /** Removes some mails whose time was over by an instant. Returns those that were not sent, and whether there may be more. */
  removeExpired(endedByMs: number): Promise<{ readonly lost: readonly LostMail[]; readonly isMore: boolean }>;
}
