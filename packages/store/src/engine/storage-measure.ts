/** What the database takes, for metrics. */
export interface StorageMeasure {
  readonly databaseBytes: number;
  /** The disk that it is on; null where that is not the disk of this machine. */
  readonly disk: { readonly freeBytes: number; readonly sizeBytes: number } | null;
}
