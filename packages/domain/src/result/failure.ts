/** Where an input is wrong and how. `at` is a path such as `accessRefs[3].type`, or empty for the whole; `text` never echoes a secret or a whole document. */
export interface Cause {
  readonly at: string;
  readonly text: string;
  /** The cause's own failure type where it differs from that of the failure which carries it. */
  readonly type?: Failure['type'];
}

/** Not readable as the kind of document that is expected: syntax, encoding, wrong type of the whole, unknown property. */
export interface MalformedBody {
  readonly type: 'MalformedBody';
  readonly causes: readonly Cause[];
}
/** A required property (or header) is missing or empty. */
export interface RequiredMissing {
  readonly type: 'RequiredMissing';
  readonly causes: readonly Cause[];
}
/** A patch targets something that may not be modified. */
export interface IllegalUpdate {
  readonly type: 'IllegalUpdate';
  readonly causes: readonly Cause[];
}
/** A value is too short or too long. */
export interface LengthOutOfRange {
  readonly type: 'LengthOutOfRange';
  readonly causes: readonly Cause[];
}
/** A value of the wrong type, outside its enumeration or grammar, repeated where it must not, or a pointer that the target does not have. */
export interface IllegalValue {
  readonly type: 'IllegalValue';
  readonly causes: readonly Cause[];
}
/** More of something than a published limit allows. */
export interface LimitExceeded {
  readonly type: 'LimitExceeded';
  readonly causes: readonly Cause[];
}
/** The input refers to an object that does not exist. */
export interface ReferenceNotFound {
  readonly type: 'ReferenceNotFound';
  readonly causes: readonly Cause[];
}
/** The caller is known but may not do this. */
export interface Forbidden {
  readonly type: 'Forbidden';
  readonly causes: readonly Cause[];
}
/** The addressed resource does not exist for this caller. */
export interface NotFound {
  readonly type: 'NotFound';
  readonly causes: readonly Cause[];
}
/** The state of the resource, or of what depends on it, does not allow the change. */
export interface Conflict {
  readonly type: 'Conflict';
  readonly causes: readonly Cause[];
}

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
export const failure = <T extends Failure['type']>(type: T, at: string, text: string): Extract<Failure, { type: T }> =>
  ({ type, causes: [{ at, text }] }) as unknown as Extract<Failure, { type: T }>;
