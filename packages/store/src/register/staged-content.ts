/** When time alone may change the violations of an identity next; null for never. */
export interface NextDue {
  readonly identityId: string;
  readonly due: string | null;
}

/** What a staged batch has done. */
export interface StagedContent {
  /** The violations that have rows of the round, and may have rows that these replace. */
  readonly ids: readonly string[];
  readonly due: readonly NextDue[];
}
