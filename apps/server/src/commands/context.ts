/** What commands on a database, and on processes, get from the process. */
export interface ServerContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working folder, which the paths of the configuration are relative to. */
  readonly folder: string;
  /** The folder of the built programs and of the sample. */
  readonly programs: string;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
}
