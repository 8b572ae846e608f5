import { ConflictError, type ShownIdentity } from '@access-admin/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { CAPABILITY_TEXTS } from '../capabilities/texts.ts';
import { usePageTexts, useSpeech } from '../languages/context.tsx';
import { useApi } from '../service/api.tsx';
import { EFFECTIVE_CAPABILITIES } from '../service/people/effective-capabilities.ts';
import {
  createPerson,
  demandsOf,
  EMPTY_PERSON,
  FIELDS_OF_PERSON,
  identityProfilesQuery,
  idOf,
  type NewPerson,
} from '../service/people/new-person.ts';
import { authProfileOfQuery, personQuery } from '../service/people/queries.ts';
import { sessionQuery } from '../service/session.ts';
import { capabilityLabel } from '../ui/capability-label.ts';
import { CheckField } from '../ui/fields/check-field.tsx';
import { FieldErrors } from '../ui/fields/field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { TextField } from '../ui/fields/text-field.tsx';
import { Form } from '../ui/forms/form.tsx';
import { Refusal } from '../ui/forms/refusal.tsx';
import { sortRefusals } from '../ui/forms/refusals.ts';
import { SignInLinkForm } from '../ways-in/link.tsx';
import styles from './new-person.module.css';
import { NEW_PERSON_TEXTS } from './new-person-texts.ts';

export interface NewPersonFormProps {
  /** Whether the person gets a link to sign in at once. */
  readonly isInvited: boolean;
}

/** A new person with a profile and capabilities, and then the link to sign in. */
export function NewPersonForm({ isInvited }: NewPersonFormProps) {
  const pageText = usePageTexts(NEW_PERSON_TEXTS);
  const api = useApi();
  const queries = useQueryClient();
  const [typed, setTyped] = useState(EMPTY_PERSON);
  const usual = useOwnProfile(isInvited);
  const identityProfile = typed.identityProfile || usual;
  const create = useMutation({
    mutationFn: () => createPerson(api, { ...typed, identityProfile }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['people'] }),
  });
  if (create.data !== undefined)
    return (
      <Created
        person={create.data}
        isInvited={isInvited}
        onAnother={() => {
          create.reset();
          setTyped(EMPTY_PERSON);
        }}
      />
    );
  const refusals = sortRefusals(create.error, FIELDS_OF_PERSON);
  const isTaken = create.error instanceof ConflictError;
  const change = (part: Partial<NewPerson>) => {
    create.reset();
    setTyped({ ...typed, ...part });
  };
  return (
    <Form label={pageText(isInvited ? 'invite' : 'new')} hasFocus onSubmit={() => create.isPending || create.mutate()}>
      <TextField
        label={pageText('name')}
        value={typed.displayName}
        errors={refusals.at['displayName']}
        onChange={(displayName) => change({ displayName })}
      />
      <TextField
        label={pageText('username')}
        hint={pageText('username.hint')}
        value={typed.uid}
        errors={refusals.at['uid']}
        onChange={(uid) => change({ uid })}
      />
      <TextField
        label={pageText('email')}
        value={typed.email}
        errors={refusals.at['email']}
        onChange={(email) => change({ email })}
      />
      <Profile
        value={identityProfile}
        hasUsual={usual !== ''}
        errors={refusals.at['identityProfile']}
        onChange={(next) => change({ identityProfile: next })}
      />
      <Chosen
        value={typed.capabilities}
        errors={refusals.at['capabilities']}
        onChange={(capabilities) => change({ capabilities })}
      />
      <TextField
        label={pageText('id')}
        hint={pageText('id.hint')}
        width="id"
        value={typed.id ?? idOf(typed.uid)}
        errors={isTaken ? [pageText('taken')] : refusals.at['id']}
        onChange={(id) => change({ id })}
      />
      {create.isError && !isTaken && (Object.keys(refusals.at).length === 0 || refusals.others.length > 0) && (
        <Refusal error={create.error} {...(refusals.others.length > 0 && { texts: refusals.others })} />
      )}
      {isTaken && <Refusal error={create.error} />}
      <p>
        <button type="submit" className="button main" aria-disabled={create.isPending}>
          {pageText(isInvited ? 'create.invite' : 'create')}
        </button>
      </p>
    </Form>
  );
}

/** The identity profile of the session's identity, as the proposal for an invitation; empty while it is unknown, and without an invitation. */
function useOwnProfile(isInvited: boolean): string {
  const api = useApi();
  const session = useQuery(sessionQuery(api));
  const own = session.data?.identityId ?? '';
  const person = useQuery({ ...personQuery(api, own), enabled: isInvited && own !== '' });
  return isInvited ? (person.data?.identityProfile.id ?? '') : '';
}

interface ProfileProps {
  readonly value: string;
  /** Whether one is chosen from the start. */
  readonly hasUsual: boolean;
  readonly errors: readonly string[] | undefined;
  readonly onChange: (value: string) => void;
}

/** The identity profile, with what its auth profile will ask of the person. */
function Profile({ value, hasUsual, errors, onChange }: ProfileProps) {
  const pageText = usePageTexts(NEW_PERSON_TEXTS);
  const api = useApi();
  const profiles = useQuery(identityProfilesQuery(api));
  const chosen = useQuery({ ...authProfileOfQuery(api, value), enabled: value !== '' });
  const options = (profiles.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className={styles['profile']}>
      <SelectField
        label={pageText('profile')}
        value={value}
        errors={errors}
        options={hasUsual ? options : [{ value: '', label: pageText('profile.choose') }, ...options]}
        onChange={onChange}
      />
      <div role="status" className={styles['demands']}>
        {value !== '' && chosen.data !== undefined && (
          <ul>
            {demandsOf(chosen.data).map((demand) => (
              <li key={demand}>{pageText(`asks.${demand}`, { application: chosen.data.applicationName ?? '–' })}</li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

interface ChosenProps {
  readonly value: NewPerson['capabilities'];
  readonly errors: readonly string[] | undefined;
  readonly onChange: (value: NewPerson['capabilities']) => void;
}

/** What the person may administer here. Capabilities of other services are on the page of the person. */
function Chosen({ value, errors, onChange }: ChosenProps) {
  const pageText = usePageTexts(NEW_PERSON_TEXTS);
  const { text } = useSpeech();
  const capabilityText = usePageTexts(CAPABILITY_TEXTS);
  return (
    <fieldset className={styles['capabilities']}>
      <legend className="label">{pageText('capabilities')}</legend>
      <p className="hint">{pageText('capabilities.hint')}</p>
      {EFFECTIVE_CAPABILITIES.map((capability) => (
        <CheckField
          key={capability}
          {...capabilityLabel(text, capability)}
          hint={capabilityText(capability)}
          checked={value.includes(capability)}
          onChange={(isGiven) =>
            onChange(isGiven ? [...value, capability] : value.filter((each) => each !== capability))
          }
        />
      ))}
      <FieldErrors errors={errors ?? []} />
    </fieldset>
  );
}

interface CreatedProps {
  readonly person: ShownIdentity;
  readonly isInvited: boolean;
  readonly onAnother: () => void;
}

/** What follows the creation: the link, the page of the person, another one. */
function Created({ person, isInvited, onAnother }: CreatedProps) {
  const pageText = usePageTexts(NEW_PERSON_TEXTS);
  const place = useRef<HTMLParagraphElement>(null);
  useEffect(() => place.current?.focus(), []);
  const name = person.displayName ?? person.uid;
  return (
    <div className={styles['created']}>
      <p ref={place} tabIndex={-1} className="message good">
        {pageText('created', { name })}
      </p>
      {isInvited && <SignInLinkForm person={person} isMadeAtOnce />}
      <p className={styles['ways']}>
        <Link to="/people/$id" params={{ id: person.id }} className="button">
          {pageText('open', { name })}
        </Link>
        <button type="button" className="button" onClick={onAnother}>
          {pageText('another')}
        </button>
      </p>
    </div>
  );
}
