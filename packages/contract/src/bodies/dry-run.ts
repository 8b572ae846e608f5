import {
  CAUSES_MAX,
  DRY_RUN_POLICIES_MAX,
  type Failure,
  fail,
  failure,
  type Issue,
  ok,
  type Result,
} from '@access-admin/domain';
import * as v from 'valibot';
import { DRY_RUN_POLICY_LENGTH_MAX } from '../limits.ts';
import { DRY_RUN_ITEMS } from '../schemas/reports.ts';
import { closedObject } from '../validation/fields.ts';
import { mostSevereFailure, validate } from '../validation/validate.ts';
import { splitJson } from './split-json.ts';
import { parseStrictJson } from './strict-json.ts';

type Name = keyof typeof DRY_RUN_ITEMS;
type PolicyFields = v.InferOutput<(typeof DRY_RUN_ITEMS)['add']>;

/** The request of a dry-run: policies without `created` and `modified`, and ids of policies. */
export interface DryRunFields {
  readonly add: readonly PolicyFields[];
  readonly change: readonly PolicyFields[];
  readonly remove: readonly string[];
}

/** Characters parsed between two pauses. */
const CHARACTERS_PER_SLICE = 100_000;
/** The nesting depth of an item: in a list in the body. */
const ITEM_DEPTH = 2;

const itemNumbers = v.optional(v.array(v.number()), []);
/** The frame: lists of item numbers. */
const frame = closedObject({ add: itemNumbers, change: itemNumbers, remove: itemNumbers });

/**
 * Parses the body of a dry-run policy by policy: parsing it at once would block the process too long. A failure has the first
 * 20 issues as causes; lists that are left out are empty. Awaits `pause` every few milliseconds, so that other requests are served.
 */
export async function parseDryRun(text: string, pause: () => Promise<unknown>): Promise<Result<DryRunFields, Failure>> {
  const split = await splitJson(text, { pause, itemsMax: DRY_RUN_POLICIES_MAX });
  if (split === null) return fail(tooMany);
  const compact = await shortenWhiteSpace(split.frame, pause);
  if (compact.length > FRAME_LENGTH_MAX)
    return fail(failure('MalformedBody', '', 'The body is too long for a dry-run.'));
  const skeleton = parseStrictJson(compact);
  const framed = skeleton.ok ? validate(frame, skeleton.value, { abortEarly: true }) : skeleton;
  if (!framed.ok) return framed;
  const items: Record<Name, unknown[]> = { add: [], change: [], remove: [] };
  const causes: Issue[] = [];
  let unpaused = 0;
  for (const [name, numbers] of namedLists(framed.value)) {
    for (const [position, number] of numbers.entries()) {
      const part = split.items[number] ?? '';
      unpaused += part.length;
      if (unpaused > CHARACTERS_PER_SLICE) {
        await pause();
        unpaused = 0;
      }
      const item = parseItem(name, part);
      if (item.ok) items[name].push(item.value);
      else causes.push(...issuesIn(`${name}[${position}]`, item.failure));
      if (causes.length >= CAUSES_MAX) return fail(mostSevereFailure(causes.slice(0, CAUSES_MAX)));
    }
  }
  return causes.length > 0 ? fail(mostSevereFailure(causes)) : ok(items as unknown as DryRunFields);
}

/** Far longer than the frame of any valid body. */
const FRAME_LENGTH_MAX = 1024 * 1024;

/** Shortens white space. Safe, as no string in a valid frame contains any. */
async function shortenWhiteSpace(frame: string, pause: () => Promise<unknown>): Promise<string> {
  if (frame.length <= FRAME_LENGTH_MAX) return frame;
  let compact = '';
  for (let at = 0; at < frame.length; at += CHARACTERS_PER_SLICE) {
    compact += frame.slice(at, at + CHARACTERS_PER_SLICE).replaceAll(/[ \t\r\n]+/g, ' ');
    await pause();
  }
  return compact;
}

const tooMany = failure('LimitExceeded', '', `must have at most ${DRY_RUN_POLICIES_MAX} policies`);

const namedLists = (framed: v.InferOutput<typeof frame>) => Object.entries(framed) as [Name, number[]][];

function parseItem(name: Name, text: string): Result<unknown, Failure> {
  if (text.length > DRY_RUN_POLICY_LENGTH_MAX)
    return fail(failure('LimitExceeded', '', `must have at most ${DRY_RUN_POLICY_LENGTH_MAX} characters`));
  const json = parseStrictJson(text, ITEM_DEPTH);
  if (!json.ok) return json;
  const item = validate<v.GenericSchema>(DRY_RUN_ITEMS[name], json.value, { abortEarly: true });
  if (!item.ok) return concernsWholeItem(item.failure) ? fail(failure('IllegalValue', '', WRONG_TYPE[name])) : item;
  // `id` names the policy to be replaced.
  if (name === 'change' && !Object.hasOwn(Object(item.value), 'id'))
    return fail(failure('RequiredMissing', 'id', 'is required'));
  return item;
}

const WRONG_TYPE = { add: 'must be an object', change: 'must be an object', remove: 'must be a string' };

/** Whether an item as a whole has the wrong type: in a single body that is malformed, in a list it is an illegal value. */
const concernsWholeItem = ({ type, causes }: Failure): boolean =>
  type === 'MalformedBody' && causes.every(({ at }) => at === '');

const issuesIn = (itemPath: string, { type, causes }: Failure): readonly Issue[] =>
  causes.map((cause) => ({
    type: cause.type ?? type,
    at: cause.at === '' ? itemPath : `${itemPath}.${cause.at}`,
    text: cause.text,
  }));
