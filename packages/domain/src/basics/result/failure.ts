/** Where an input is wrong and how. `at` is a path such as `accessRefs[3].type`, or empty for the whole; `text` never echoes a secret or a whole document. */
export interface Cause {
  readonly at: string;
  readonly text: string;
  /** The cause's own failure type where it differs from that of the failure which carries it. */
  readonly type?: Failure['type'];
}

/** A failure of one type. */
export interface FailureOf<T> {
  readonly type: T;
  readonly causes: readonly Cause[];
}

/** Not readable as the kind of document that is expected: syntax, encoding, wrong type of the whole, unknown property. */
export type MalformedBody = FailureOf<'MalformedBody'>;
/** A required property (or header) is missing or empty. */
export type RequiredMissing = FailureOf<'RequiredMissing'>;
/** A patch targets something that may not be modified. */
export type IllegalUpdate = FailureOf<'IllegalUpdate'>;
/** A value is too short or too long. */
export type LengthOutOfRange = FailureOf<'LengthOutOfRange'>;
/** A value of the wrong type, outside its enumeration or grammar, repeated where it must not, or a pointer that the target does not have. */
export type IllegalValue = FailureOf<'IllegalValue'>;
/** More of something than a published limit allows. */
export type LimitExceeded = FailureOf<'LimitExceeded'>;
/** The input refers to an object that does not exist. */
export type ReferenceNotFound = FailureOf<'ReferenceNotFound'>;
/** The caller is known but may not do this. */
export type Forbidden = FailureOf<'Forbidden'>;
/** The addressed resource does not exist for this caller. */
export type NotFound = FailureOf<'NotFound'>;
/** The state of the resource, or of what depends on it, does not allow the change. */
export type Conflict = FailureOf<'Conflict'>;

/** Every outcome other than success that a rule of this package can decide. */
export type Failure =
  | MalformedBody
  | RequiredMissing
  | IllegalUpdate
  | LengthOutOfRange
  | IllegalValue
  | LimitExceeded
  | ReferenceNotFound
  | Forbidden
  | NotFound
  | Conflict;

/** Builds a failure with one cause. */
export const failure = <T extends Failure['type']>(type: T, at: string, text: string): FailureOf<T> => ({
  type,
  causes: [{ at, text }],
});
