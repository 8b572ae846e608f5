import type { AuditEvent } from '@access-admin/client';
import { useLoadedTexts } from '../languages/loaded-texts.ts';
import { isOfPeople, personIn, verbOf } from '../service/audit/sentence.ts';
import { useActorName } from './actor-name.tsx';
import { isConflict, useConflictName, useResourceName } from './resource-name.tsx';
import { SENTENCE_TEXTS } from './sentences/catalogue.ts';

/** An entry of the audit log as a sentence: the names of its actor and its resource, and the operation. */
export function Sentence({ event }: { readonly event: AuditEvent }) {
  const sentence = useLoadedTexts(SENTENCE_TEXTS);
  const actor = useActorName(event.actor);
  const name = useResourceName(event);
  const conflict = useConflictName(event);
  const { resource, outcome, operation } = event;
  const { type } = resource;
  const { identityId } = event.actor;
  const isOwn = identityId !== null && identityId === (conflict?.personId ?? personIn(event));
  const what = () => {
    if (conflict !== undefined && isConflict(type))
      return sentence(`${isOwn ? 'own' : 'of'}.${type}`, { person: conflict.person, policy: conflict.policy });
    if (isOwn && isPerson(type)) return sentence(`own.${type}`);
    const isNamed = name !== '' && name !== 'tenant';
    return isNamed ? sentence(`the.${type}`, { name }) : sentence(`all.${type}`);
  };
  const verb = verbOf(event);
  const isWithdrawal = verb === 'refused' && conflict?.requesterId === identityId;
  const no = outcome === 'DENIED' ? 'no.' : '';
  if (isOwn && isOfPeople(verb)) return sentence(`own.${no}${verb}`, { actor });
  return sentence(`${no}${isWithdrawal ? 'withdrawn' : verb}`, { actor, what: what(), name, operation });
}

const isPerson = (type: AuditEvent['resource']['type']): type is 'AUTH_USER' | 'IDENTITY' | 'SESSION' =>
  type === 'AUTH_USER' || type === 'IDENTITY' || type === 'SESSION';
