import { useState } from 'react';
import type { PolicyDraft } from '../service/policy/draft.ts';
import {
  type Aspect,
  beginEdit,
  conflictsOf,
  type Edit,
  type PolicyVersion,
  rebaseEdit,
} from '../service/policy/edit.ts';

export interface EditState {
  readonly edit: Edit;
  /** What has changed elsewhere since the edit began; empty where the edit can go on. */
  readonly conflicts: readonly Aspect[];
  readonly change: (part: Partial<PolicyDraft>) => void;
  /** Forgets the changes: the latest version is shown. */
  readonly discard: () => void;
  /** Puts the changes on top of the latest version. */
  readonly rebase: () => void;
}

/** The edit of a policy. It follows versions that are saved elsewhere as long as no change is lost. */
export function useEdit(latest: PolicyVersion | null): EditState {
  const [edit, setEdit] = useState(() => beginEdit(latest));
  const conflicts = latest === null ? [] : conflictsOf(edit, latest);
  const rebase = () => latest !== null && setEdit(rebaseEdit(edit, latest));
  if (latest !== null && edit.base?.etag !== latest.etag && conflicts.length === 0) rebase();
  return {
    edit,
    conflicts,
    change: (part) => setEdit(({ base, draft }) => ({ base, draft: { ...draft, ...part } })),
    discard: () => setEdit(beginEdit(latest)),
    rebase,
  };
}
