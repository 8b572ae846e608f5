/** Thrown where a request cannot be served for now, and has had no effect: it is answered 503 with Retry-After. */
export class Unavailable extends Error {
  override readonly name: 'IssuerUnavailable' | 'SecretsBusy';

  constructor(name: Unavailable['name'], reason: string) {
    super(reason);
    this.name = name;
  }
}
