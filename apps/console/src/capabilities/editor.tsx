import type { AuthUser, Capability, CurrentSession } from '@access-admin/client';
import { ConflictError } from '@access-admin/client';
import { useQueryClient } from '@tanstack/react-query';
import { patchOf } from '../forms/changes.ts';
import { CheckField } from '../forms/controls.tsx';
import { Form } from '../forms/form.tsx';
import { NO_REFUSALS } from '../forms/refusals.ts';
import { SaveBar } from '../forms/save-bar.tsx';
import { type Draft, useDraft, type Versioned } from '../forms/use-draft.ts';
import { usePageTexts } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import {
  EFFECTIVE_CAPABILITIES,
  isEffective,
  OTHER_CAPABILITIES,
  withCapability,
} from '../service/people/capabilities.ts';
import { authUserQuery } from '../service/people/queries.ts';
import { refusalOf } from '../service/people/rights.ts';
import { sessionQuery } from '../service/queries.ts';
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
    read: user,
    queryKey: authUserQuery(api, id).queryKey,
    save: async (changes, ifMatch) => {
      await api.authUsers.patch(id, patchOf(changes), { ifMatch });
      // What the console offers follows from one's own capabilities.
      if (id === me.identityId) await queries.invalidateQueries({ queryKey: sessionQuery(api).queryKey });
    },
  });
  const others = OTHER_CAPABILITIES.filter((each) => draft.value.capabilities.includes(each)).length;
  return (
    <Form label={pageText('title')} onSubmit={draft.save}>
      <div className={styles['choices']}>
        {EFFECTIVE_CAPABILITIES.map((capability) => (
          <Choice key={capability} {...{ capability, draft, me }} />
        ))}
      </div>
      <details className={styles['others']}>
        <summary>{pageText('others', { count: others })}</summary>
        <p className={styles['note']}>{pageText('other')}</p>
        <div className={styles['choices']}>
          {OTHER_CAPABILITIES.map((capability) => (
            <Choice key={capability} {...{ capability, draft, me }} />
          ))}
        </div>
      </details>
      <Consequences draft={draft} me={me} />
      <SaveBar
        draft={draft}
        labels={{ capabilities: pageText('title') }}
        refusals={NO_REFUSALS}
        explanation={draft.error instanceof ConflictError ? pageText('guard') : null}
      />
    </Form>
  );
}

interface ChoiceProps {
  readonly capability: Capability;
  readonly draft: Draft<AuthUser>;
  readonly me: CurrentSession;
}

function Choice({ capability, draft: { base, value, change }, me }: ChoiceProps) {
  const pageText = usePageTexts(CAPABILITY_TEXTS);
  const isHeld = base.capabilities.includes(capability);
  const refusal = refusalOf(capability, me, { personId: base.id, isHeld });
  const hints = [isEffective(capability) ? capability : null, refusal === null ? null : (`not.${refusal}` as const)];
  const shown = hints.filter((each) => each !== null);
  return (
    <CheckField
      label={capability}
      {...(shown.length > 0 && { hint: shown.map((each) => pageText(each)).join(' ') })}
      checked={value.capabilities.includes(capability)}
      disabled={refusal !== null}
      onChange={(isGiven) => change({ capabilities: withCapability(value.capabilities, capability, isGiven) })}
    />
  );
}

/** What a change would do that is hard to undo, before it is saved. */
function Consequences({ draft: { base, value }, me }: Omit<ChoiceProps, 'capability'>) {
  const pageText = usePageTexts(CAPABILITY_TEXTS);
  const taken = base.capabilities.filter((each) => !value.capabilities.includes(each));
  const notes = [
    ...(taken.length > 0 && base.id === me.identityId ? (['own'] as const) : []),
    ...(taken.includes('ORG_ADMIN') ? (['last'] as const) : []),
  ];
  return (
    <div role="status" className={styles['consequences']}>
      {notes.map((note) => (
        <p key={note}>{pageText(note)}</p>
      ))}
    </div>
  );
}
