import type { AuthUser, Capability, CurrentSession } from '@access-admin/client';
import { ConflictError } from '@access-admin/client';
import { useQueryClient } from '@tanstack/react-query';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import {
  CAPABILITY_NAMES,
  changedBy,
  type HeldCapabilities,
  heldOf,
  OTHER_CAPABILITIES,
} from '../service/people/capabilities.ts';
import { EFFECTIVE_CAPABILITIES, isEffective } from '../service/people/effective-capabilities.ts';
import { authUserQuery } from '../service/people/queries.ts';
import { refusalOf } from '../service/people/rights.ts';
import { sessionQuery } from '../service/session.ts';
import { capabilityLabel } from '../ui/capability-label.ts';
import { CheckField } from '../ui/fields/check-field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { NO_REFUSALS } from '../ui/forms/refusals.ts';
import { SaveBar } from '../ui/forms/save-bar.tsx';
import { type Draft, useDraft, type Versioned } from '../ui/forms/use-draft.ts';
import styles from './card.module.css';
import { CAPABILITY_TEXTS } from './texts.ts';

export interface EditorProps {
  readonly user: Versioned<AuthUser>;
  readonly me: CurrentSession;
}

/** The capabilities of a person, to give and to take. What the service would refuse is not offered. */
export function Editor({ user, me }: EditorProps) {
  const pageText = usePageTexts(CAPABILITY_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const { id } = user.value;
  const draft = useDraft({
    // Each capability for itself, so that two administrators can change different ones.
    read: { value: heldOf(user.value.capabilities), etag: user.etag },
    queryKey: authUserQuery(api, id).queryKey,
    save: async (changes, ifMatch) => {
      await api.authUsers.setCapabilities(id, changedBy(user.value.capabilities, changes), { ifMatch });
      // What the console offers follows from one's own capabilities.
      if (id === me.identityId) await queries.invalidateQueries({ queryKey: sessionQuery(api).queryKey });
    },
  });
  const others = OTHER_CAPABILITIES.filter((each) => draft.value[each]).length;
  return (
    <Form label={pageText('title')} onSubmit={draft.save}>
      <div className={styles['choices']}>
        {EFFECTIVE_CAPABILITIES.map((capability) => (
          <Choice key={capability} {...{ id, capability, draft, me }} />
        ))}
      </div>
      <details className={styles['others']}>
        <summary>{pageText('others', { count: others })}</summary>
        <p className={styles['note']}>{pageText('other')}</p>
        <div className={styles['choices']}>
          {OTHER_CAPABILITIES.map((capability) => (
            <Choice key={capability} {...{ id, capability, draft, me }} />
          ))}
        </div>
      </details>
      <Consequences {...{ id, draft, me }} />
      <SaveBar
        draft={draft}
        labels={CAPABILITY_NAMES}
        refusals={NO_REFUSALS}
        explanation={draft.error instanceof ConflictError ? pageText('guard') : null}
      />
    </Form>
  );
}

interface ChoiceProps {
  /** Of the person. */
  readonly id: string;
  readonly capability: Capability;
  readonly draft: Draft<HeldCapabilities>;
  readonly me: CurrentSession;
}

function Choice({ id, capability, draft: { base, value, change }, me }: ChoiceProps) {
  const { text } = useSpeech();
  const pageText = usePageTexts(CAPABILITY_TEXTS);
  const refusal = refusalOf(capability, me, { personId: id, isHeld: base[capability] });
  const hints = [isEffective(capability) ? capability : null, refusal === null ? null : (`not.${refusal}` as const)];
  const shown = hints.filter((each) => each !== null);
  return (
    <CheckField
      {...capabilityLabel(text, capability)}
      {...(shown.length > 0 && { hint: shown.map((each) => pageText(each)).join(' ') })}
      checked={value[capability]}
      disabled={refusal !== null}
      onChange={(isGiven) => change({ [capability]: isGiven })}
    />
  );
}

/** What a change would do that is hard to undo, before it is saved. */
function Consequences({ id, draft: { changes }, me }: Omit<ChoiceProps, 'capability'>) {
  const pageText = usePageTexts(CAPABILITY_TEXTS);
  const isTaking = Object.values(changes).includes(false);
  const notes = [
    ...(isTaking && id === me.identityId ? (['own'] as const) : []),
    ...(changes.ORG_ADMIN === false ? (['last'] as const) : []),
  ];
  return (
    <div role="status" className={styles['consequences']}>
      {notes.map((note) => (
        <p key={note}>{pageText(note)}</p>
      ))}
    </div>
  );
}
