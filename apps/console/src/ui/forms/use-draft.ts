import { PreconditionFailedError } from '@access-admin/client';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changesOf } from './changes.ts';

/** A resource and its version. */
export interface Versioned<T> {
  readonly value: T;
  readonly etag: string;
}

export interface DraftOptions<T> {
  /** The resource as the service has it. */
  readonly read: Versioned<T>;
  /** The query that reads it. */
  readonly queryKey: QueryKey;
  /** Saves changes of this version. */
  readonly save: (changes: Partial<T>, ifMatch: string) => Promise<unknown>;
}

/** Changes of a resource that are not saved yet. */
export interface Draft<T> {
  /** The resource with the changes. */
  readonly value: T;
  readonly changes: Partial<T>;
  readonly isChanged: boolean;
  readonly change: (part: Partial<T>) => void;
  /** The version that was saved elsewhere since the first change; null for none. */
  readonly newer: T | null;
  /** The version from which the changes began. */
  readonly base: T;
  /** Whether there is something to save that nothing stands against. */
  readonly canSave: boolean;
  readonly save: () => void;
  /** Goes on with the changes on top of the newer version. */
  readonly rebase: () => void;
  readonly discard: () => void;
  readonly isSaving: boolean;
  readonly isSaved: boolean;
  /** Why it was not saved; null for a version that is no longer that of the service. */
  readonly error: unknown;
}

interface Typed<T> {
  readonly base: Versioned<T> | null;
  readonly edits: Partial<T>;
}

/** Keeps what is typed, whatever happens to the resource, until it is saved or discarded. */
export function useDraft<T extends object>({ read, queryKey, save }: DraftOptions<T>): Draft<T> {
  const [typed, setTyped] = useState<Typed<T>>({ base: null, edits: {} });
  const queries = useQueryClient();
  const base = typed.base ?? read;
  const changes = changesOf<T>(base.value, typed.edits);
  const isChanged = Object.keys(changes).length > 0;
  const saving = useMutation({
    mutationFn: (_saved: Partial<T>) => save(changes, base.etag),
    onSuccess: async (_, saved) => {
      await queries.invalidateQueries({ queryKey });
      // What was typed while it was saved is a change of the version that is there now.
      setTyped(({ edits }) => ({ base: null, edits: changesOf<T>(saved, edits) }));
    },
    // After a conflict the newer version is read, and after the end of the session its dialog opens.
    onError: () => queries.invalidateQueries({ queryKey }),
  });
  const newer = isChanged && !saving.isPending && base.etag !== read.etag ? read.value : null;
  const canSave = isChanged && !saving.isPending && newer === null;
  return {
    value: { ...base.value, ...typed.edits },
    changes,
    isChanged,
    base: base.value,
    change: (part) => {
      if (!saving.isPending) saving.reset();
      setTyped(({ base: kept, edits }) => ({ base: kept ?? read, edits: { ...edits, ...part } }));
    },
    newer,
    canSave,
    save: () => {
      if (canSave) saving.mutate(typed.edits);
    },
    rebase: () => {
      saving.reset();
      setTyped({ base: read, edits: changes });
    },
    discard: () => {
      saving.reset();
      setTyped({ base: null, edits: {} });
    },
    isSaving: saving.isPending,
    isSaved: saving.isSuccess && !isChanged,
    error: saving.error instanceof PreconditionFailedError ? null : saving.error,
  };
}
