/** An acknowledgement of the store, written to a recorded file, so that its place between the writes is known. */
export type Acknowledgement =
  | { readonly type: 'check'; readonly requestId: string }
  | { readonly type: 'completed'; readonly requestId: string }
  /** Identities from `i-<number>-0` on, and the entitlement `e-latest` with the number as its name. */
  | { readonly type: 'import'; readonly number: number; readonly identities: number }
  /** The username label is the number; it only grows. */
  | { readonly type: 'label'; readonly number: number };

export const ACKNOWLEDGED = 'acknowledged';
export const TENANT = 'acme';
export const LATEST = 'e-latest';
