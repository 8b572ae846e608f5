/** An acknowledgement of the store, written to a recorded file, so that its place between the writes is known. */
export type Acknowledgement =
  | { readonly stored: 'checks' | 'completed' | 'identities'; readonly ids: readonly string[] }
  /** A number that only grows: the username label, or the name of the entitlement `e-latest`. */
  | { readonly reached: 'label' | 'latest'; readonly number: number };

export const ACKNOWLEDGED = 'acknowledged';
export const TENANT = 'acme';
export const LATEST = 'e-latest';
