import type { Forbidden } from '@access-admin/domain';

/** Thrown when the storage is busy or away for longer than a request should wait. */
export class StorageUnavailable extends Error {
  override readonly name: string = 'StorageUnavailable';
}

/** Thrown when the disk of the storage has no room for a write, which has had no effect. */
export class StorageFull extends StorageUnavailable {
  override readonly name = 'StorageFull';
}

/** Thrown when a node of a distributed storage takes no connection, or gives no answer. */
export class NodeAway extends StorageUnavailable {
  override readonly name = 'NodeAway';
}

/** Thrown when another transaction has locked what a write changes for longer than it waits. The write has had no effect. */
export class StorageLocked extends StorageUnavailable {
  override readonly name = 'StorageLocked';
}

/** Thrown when the storage became unavailable during a write and its outcome is unknown. Repeating the write may apply it twice. */
export class OutcomeUnknown extends StorageUnavailable {
  override readonly name = 'OutcomeUnknown';
}

/** Thrown when `DATABASE_URL` leads to what the service cannot work with, whatever the moment. */
export class UnsuitableAddress extends Error {
  override readonly name = 'UnsuitableAddress';
}

/** Rolls back a change whose caller is gone, or has lost the rights to it. */
export class RightsLost extends Error {
  override readonly name = 'RightsLost';
  /** Null if the caller is gone. */
  readonly forbidden: Forbidden | null;

  constructor(forbidden: Forbidden | null) {
    super(forbidden === null ? 'caller gone' : 'rights lost');
    this.forbidden = forbidden;
  }
}

/** Thrown when a write is of a tenant that is being removed: nothing of it is stored. */
export class TenantRemoved extends Error {
  override readonly name = 'TenantRemoved';
  readonly tenant: string;

  constructor(tenant: string) {
    super(`The tenant ${tenant} is being removed.`);
    this.tenant = tenant;
  }
}
