import { hasCompatibilityForms } from '@access-admin/domain';

const PLACE = '{username}';
/** A user principal name or a name with its domain, which only Active Directory takes. */
const DIRECTORY_NAME = /^(?:\{username\}@[A-Za-z0-9.-]+|[A-Za-z0-9.-]+\\\{username\})$/;
/** The place is the whole value of an attribute, between the start or a separator and the end or a separator. */
const DISTINGUISHED_NAME = /^(?:.*[,+])?\s*[A-Za-z][A-Za-z0-9.-]*=\{username\}(?:[,+].+)?$/;
const PLAIN_USERNAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What is wrong with a template of names to bind as; null for a good one. */
export function bindNameFault(template: string): string | null {
  if (template.split(PLACE).length !== 2) return 'must have {username} once';
  return DIRECTORY_NAME.test(template) || DISTINGUISHED_NAME.test(template)
    ? null
    : 'must be a DN with {username} as the whole value of an attribute, {username}@domain or DOMAIN\\{username}';
}

/** Control and format characters, half characters, characters without a look of their own, and other spaces. */
const UNCERTAIN = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\ufffc]|(?! )\p{Z}/u;

/** The name to bind as; null for a username that cannot be a part of it. */
export function bindNameOf(template: string, username: string): string | null {
  // Directories drop or replace such spaces and characters when they compare (RFC 4518): two usernames would name one entry.
  if (username === '' || username.trim() !== username || / {2}/.test(username)) return null;
  if (UNCERTAIN.test(username) || hasCompatibilityForms(username)) return null;
  // A directory reads a name that is no DN in several ways, and has no escapes for it.
  if (DIRECTORY_NAME.test(template) && !PLAIN_USERNAME.test(username)) return null;
  const value = DIRECTORY_NAME.test(template) ? username : escapeDnValue(username);
  // A replacement text would have patterns of its own.
  return template.split(PLACE).join(value);
}

/** A value of a DN (RFC 4514). Every character that has a meaning anywhere in a DN is written as the bytes that it is. */
export const escapeDnValue = (value: string): string =>
  value.replaceAll(/[^\p{L}\p{N}._@-]/gu, (character) =>
    [...Buffer.from(character, 'utf8')].map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join(''),
  );
