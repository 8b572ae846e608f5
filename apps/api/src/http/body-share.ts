/** The part of the room for large bodies that one request holds. */
export interface BodyShare {
  /** Reserves bytes until the request is answered; false when there is no room for them. */
  take(bytes: number): boolean;
}
