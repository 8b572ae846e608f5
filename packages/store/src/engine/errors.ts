/** Thrown when the storage is busy or away for longer than a request should wait. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
}

/** Thrown when the storage became unavailable during a write and its outcome is unknown. Repeating the write may apply it twice. */
export class OutcomeUnknown extends StorageUnavailable {
  override readonly name = 'OutcomeUnknown';
}
