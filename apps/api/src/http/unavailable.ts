/** Thrown when a request cannot be served for now and has had no effect: answered with 503 and Retry-After. */
export class Unavailable extends Error {
  override readonly name: 'IssuerUnavailable' | 'SecretsBusy' | 'PasswordsBusy' | 'EventsRemoved' | 'ReportRemoved';

  constructor(name: Unavailable['name'], reason: string) {
    super(reason);
    this.name = name;
  }
}
