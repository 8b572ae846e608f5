/** The exception that covers a violation. */
export interface CoveringException {
  readonly id: string;
  readonly end: string;
}
