/** Thrown when the storage is busy or away for longer than a request should wait. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
}

/** Thrown when the storage went away under a write, and whether it took effect cannot be known: to repeat it may do it twice. */
export class OutcomeUnknown extends StorageUnavailable {
  override readonly name = 'OutcomeUnknown';
}
