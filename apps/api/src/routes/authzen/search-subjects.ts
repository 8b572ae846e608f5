import type { AUTHZEN, FoundPage, SubjectSearch } from '@access-admin/contract';
import {
  type AccessEntity,
  type AccessTarget,
  accessTargetOf,
  createHolderJudge,
  givingRefs,
  isSubjectType,
  type JudgeHolders,
  ok,
  type Result,
} from '@access-admin/domain';
import { StorageUnavailable, type Subject, type SubjectKey } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import type { ApiFailure } from '../../http/problem.ts';
import type { Input } from '../../operations/route.ts';
import { streamJson } from '../../streaming/stream-json.ts';
import { beginDecisions, type DecisionWork, decide, readSubject } from './decide.ts';
import { foundPage, pageOfAll, partOf, type SearchPart } from './page-token.ts';

/** Answers the subjects of a type that may do something with a resource, in order of their ids. */
export async function searchSubjects(
  c: RequestContext,
  { body }: Input<typeof AUTHZEN.searchSubjects>,
): Promise<Answer> {
  const { page, ...question } = body;
  const part = partOf(question, page);
  if (!part.ok) return part;
  const work = beginDecisions(c);
  const found = await findSubjects(work, { question, part: part.value });
  return found.ok ? streamJson(c, JSON.stringify(found.value)) : found;
}

interface Search {
  readonly question: Omit<SubjectSearch, 'page'>;
  readonly part: SearchPart;
}

type Found = Result<FoundPage<AccessEntity>, ApiFailure>;

const TRIES_MAX = 100;

/** Searches again where the rulebook changes meanwhile: a page is of one policy-set version. */
async function findSubjects(work: DecisionWork, search: Search): Promise<Found> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const found = await findOnce(work, search);
    if (found !== null) return found;
    await work.services.jobs.yield(work.job);
  }
  throw new StorageUnavailable('The rulebook changed whenever subjects were searched.');
}

async function findOnce(work: DecisionWork, search: Search): Promise<Found | null> {
  const { question, part } = search;
  const { subjectType: type } = question;
  const none = () => ok(foundPage<AccessEntity>(part, [], null));
  if (!isSubjectType(type)) return none();
  const { reading, now } = await readSubject(work, null);
  const { index, policySetVersion } = reading;
  const target = accessTargetOf(index.catalogue, { ...question, subject: { type } });
  if (!target.ok) return none();
  const by: SubjectKey = type === 'user' ? 'uid' : 'id';
  const reads = { tenant: work.job.tenant, by, after: part.after };
  const { subjects } = work.services.store;
  if (target.value.kind === 'use') {
    const keys = await subjects.readCapable(reads, target.value.capability, part.limit + 1);
    return ok(pageOfAll(part, keys, (id) => ({ type, id })));
  }
  const basis = { ...question, index, nowMs: now.getTime() };
  const scan: Scan = {
    ...search,
    by,
    policySetVersion,
    target: target.value,
    judge: createHolderJudge(basis, target.value),
  };
  if (target.value.kind === 'request') return scanSubjects(work, scan);
  const having = await subjects.readHaving(reads, givingRefs(index.catalogue, target.value));
  if (having === null) return scanSubjects(work, scan);
  const permitted = await judgeSubjects(work, scan, having);
  if (permitted === null || !permitted.ok) return permitted;
  return ok(pageOfAll(part, permitted.value, (id) => ({ type, id })));
}

interface Scan extends Search {
  readonly by: SubjectKey;
  readonly policySetVersion: number;
  readonly target: AccessTarget;
  readonly judge: JudgeHolders;
}

const AT_ONCE_MIN = 200;
const AT_ONCE_MAX = 500;
/** After which time a page ends that has fewer results than it may have. */
const SCAN_MS = 500;

/** Judges subjects in the order of their keys until there is one more than the page has room for, or for some time. */
async function scanSubjects(work: DecisionWork, scan: Scan): Promise<Found | null> {
  const { part, by, question } = scan;
  const { store, jobs } = work.services;
  const { limit } = part;
  const untilMs = jobs.elapsed() + SCAN_MS;
  const found: string[] = [];
  let { after } = part;
  let atOnce = Math.min(Math.max(limit + 1, AT_ONCE_MIN), AT_ONCE_MAX);
  let isLast = false;
  while (!isLast && found.length <= limit) {
    if (after !== part.after && jobs.elapsed() > untilMs) break;
    await jobs.yield(work.job);
    const next = await store.subjects.readNext({ tenant: work.job.tenant, by, after }, atOnce);
    const permitted = await judgeSubjects(work, scan, next.subjects);
    if (permitted === null || !permitted.ok) return permitted;
    found.push(...permitted.value);
    isLast = next.isLast;
    after = next.subjects.at(-1)?.[by] ?? after;
    atOnce = AT_ONCE_MAX;
  }
  const shown = found.slice(0, limit);
  const last = found.length > limit ? (shown.at(-1) ?? null) : isLast ? null : after;
  return ok(
    foundPage(
      part,
      shown.map((id) => ({ type: question.subjectType, id })),
      last,
    ),
  );
}

/** The keys of the subjects that may; null where they are of another policy-set version than the search. */
async function judgeSubjects(
  work: DecisionWork,
  { by, judge, target, policySetVersion, question }: Scan,
  subjects: readonly Subject[],
): Promise<Result<readonly string[], ApiFailure> | null> {
  if (subjects.some((subject) => subject.policySetVersion !== policySetVersion)) return null;
  const permitted = judge(subjects.map(({ access }) => access));
  const denied = subjects.filter((_, at) => permitted[at] !== true).map(({ id }) => id);
  const excepted =
    target.kind === 'request' && denied.length > 0
      ? await work.services.store.subjects.findExcepted(work.job.tenant, denied)
      : NONE;
  const keys: string[] = [];
  for (const [at, subject] of subjects.entries()) {
    const { id } = subject;
    if (permitted[at] === true) keys.push(subject[by]);
    else if (excepted.has(id)) {
      const { action, resource, time, fromLevel } = question;
      const decided = await decide(work, { subject: { type: 'identity', id }, action, resource, time, fromLevel });
      if (!decided.ok) return decided;
      if (decided.value.decision) keys.push(subject[by]);
    }
  }
  return ok(keys);
}

const NONE: ReadonlySet<string> = new Set();
