// The headings that mean a thing, in lower case without anything but letters and digits: `Gültig bis (inkl.)` is gultigbisinkl.

/** The words of a text. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Headings of the id of a person. */
export const USER: readonly string[] = words(`
      userid identityid personid employeeid employeenumber accountid user identity username login account uid
      person employee personalnummer personalnr personnelnumber mitarbeiter mitarbeiternummer benutzer
      benutzerid benutzername benutzerkennung kennung samaccountname
    `);

/** Headings of what is known of a person. */
export const PERSON: Readonly<Record<string, readonly string[]>> = {
  uid: words(`
      uid login loginname username samaccountname userprincipalname account accountname benutzername
      benutzerkennung anmeldename kennung
    `),
  displayName: [
    'displayname',
    'fullname',
    'name',
    'commonname',
    'cn',
    'anzeigename',
    'vollername',
    'vollstandigername',
  ],
  firstname: ['firstname', 'givenname', 'forename', 'vorname'],
  lastname: ['lastname', 'surname', 'familyname', 'sn', 'nachname', 'familienname'],
  email: ['email', 'mail', 'emailaddress', 'mailaddress', 'emailadresse', 'mailadresse'],
  workPhone: ['workphone', 'phone', 'telephone', 'telephonenumber', 'telefon', 'telefonnummer'],
  identityProfile: ['identityprofile', 'profile', 'usertype', 'employeetype', 'persontype'],
  disabled: words(`
      disabled isdisabled accountdisabled userdisabled inactive isinactive locked islocked accountlocked blocked
      isblocked suspended deaktiviert kontodeaktiviert gesperrt istgesperrt kontogesperrt benutzergesperrt
      sperrkennzeichen inaktiv
    `),
  enabled: words(`
      enabled isenabled active isactive accountenabled accountactive userenabled useractive aktiv istaktiv
      aktiviert kontoaktiv kontoaktiviert benutzeraktiv
    `),
  status: ['status', 'accountstatus', 'userstatus', 'kontostatus'],
  userAccountControl: ['useraccountcontrol'],
};

/** Headings of the first moment of access. */
export const START: readonly string[] = words(`
      start validfrom validsince from startdate begin begindate effectivefrom gueltigab gultigab gueltigvon
      gultigvon gueltigseit gultigseit anfang anfangsdatum beginn beginndatum startdatum abdatum von vondatum
      ab
    `);

const END_NAMES = words(`
      end validto validuntil validthrough to until enddate expires expireson expiry expirydate expirationdate
      effectiveto gueltigbis gultigbis ende enddatum endedatum ablauf ablaufdatum befristetbis bisdatum bis
    `);

/** Headings of the end of access: of the last day, and of the first one without. */
export const END: { readonly included: readonly string[]; readonly excluded: readonly string[] } = {
  included: END_NAMES.flatMap((name) => [
    name,
    ...words(`inkl inklusive incl inclusive`).map((ending) => name + ending),
  ]),
  excluded: END_NAMES.flatMap((name) => ['exkl', 'exklusive', 'excl', 'exclusive'].map((ending) => name + ending)),
};

const YES = /^(true|yes|y|ja|j|x|1|wahr)$/i;
const NO = /^(false|no|n|nein|0|falsch)$/i;
const ENABLED = /^(active|aktiv|enabled|aktiviert)$/i;
const DISABLED = /^(inactive|inaktiv|disabled|deaktiviert|gesperrt|locked|blocked|suspended|terminated)$/i;

/** The flag of Active Directory for an account that is disabled, among others in `userAccountControl`. */
const ACCOUNT_DISABLE = 2;

/** The columns that say whether a person is disabled. */
export const STATES = ['disabled', 'enabled', 'status', 'userAccountControl'] as const;

/** Whether a person is disabled by any of these columns, or what is wrong with them. */
export function isDisabled(
  get: (column: string) => string,
): { readonly disabled: boolean } | { readonly fault: string } {
  const found: boolean[] = [];
  for (const column of STATES) {
    const value = get(column);
    if (value === '') continue;
    const isStatus = ENABLED.test(value) ? true : DISABLED.test(value) ? false : null;
    const enabled = isStatus ?? enabledBy(column, value);
    if (enabled === null)
      return {
        fault: `${column}: ${value} is neither enabled nor disabled: in a mapping, \`values: {${column}: {${JSON.stringify(value)}: disabled}}\` says what it means`,
      };
    found.push(!enabled);
  }
  return { disabled: found.includes(true) };
}

function enabledBy(column: (typeof STATES)[number], value: string): boolean | null {
  if (column === 'userAccountControl') return /^\d+$/.test(value) ? (Number(value) & ACCOUNT_DISABLE) === 0 : null;
  const isYes = column === 'status' ? null : YES.test(value) ? true : NO.test(value) ? false : null;
  return isYes === null ? null : column === 'enabled' ? isYes : !isYes;
}
