import type { AUTHZEN, FoundPage, ResourceSearch } from '@access-admin/contract';
import {
  ACCESS_TYPE_OF,
  type AccessEntity,
  CAPABILITIES,
  grantedIds,
  heldItemIds,
  isAccessResource,
  isResourceType,
  isSubjectType,
  itemIds,
  judgeRefs,
  ok,
  type Result,
  type SearchBasis,
} from '@access-admin/domain';
import type { SodReading } from '@access-admin/store';
import type { RequestContext } from '../../env.ts';
import type { Answer } from '../../http/answer.ts';
import type { ApiFailure } from '../../http/problem.ts';
import type { Input } from '../../operations/route.ts';
import { streamJson } from '../../streaming/stream-json.ts';
import { beginDecisions, type DecisionWork, decide, readSubject } from './decide.ts';
import { foundPage, pageOfAll, partOf, type SearchPart } from './page-token.ts';

/** Answers the resources of a type with which a subject may do something, in order of their ids. */
export async function searchResources(
  c: RequestContext,
  { body }: Input<typeof AUTHZEN.searchResources>,
): Promise<Answer> {
  const { page, ...question } = body;
  const part = partOf(question, page);
  if (!part.ok) return part;
  const found = await findResources(beginDecisions(c), { question, part: part.value });
  return found.ok ? streamJson(c, JSON.stringify(found.value)) : found;
}

interface Search {
  readonly question: Omit<ResourceSearch, 'page'>;
  readonly part: SearchPart;
}

async function findResources(work: DecisionWork, search: Search): Promise<Result<FoundPage<AccessEntity>, ApiFailure>> {
  const { question, part } = search;
  const { subject, action, resourceType: type } = question;
  const pageOf = (ids: readonly string[]) => ok(pageOfAll(part, ids, (id) => ({ type, id })));
  const { identityId, reading, now } = await readSubject(work, subject);
  if (!isSubjectType(subject.type) || reading.held === null) return pageOf([]);
  const basis: SearchBasis = { ...question, index: reading.index, nowMs: now.getTime() };
  if (!isResourceType(type)) return pageOf(grantedIds(basis, reading, { type, action }));
  const { store } = work.services;
  if (type === 'capability') {
    const capabilities = action === 'use' ? await store.subjects.findCapabilities(work.job.tenant, identityId) : null;
    return pageOf(CAPABILITIES.filter((each) => capabilities?.includes(each) === true).toSorted());
  }
  if (action === 'request') return findRequestable(work, { ...search, basis, reading });
  if (action !== 'hold') return pageOf([]);
  const assignments = await store.sod.readAssignments(work.job.tenant, identityId);
  return pageOf(heldItemIds(basis, type, { holder: reading, assignments: assignments?.access ?? [] }));
}

interface RequestSearch extends Search {
  readonly basis: SearchBasis;
  readonly reading: SodReading;
}

const AT_ONCE_MAX = 1_000;

/** Judges items in the order of their ids, more at once each time, until there is one more than the page has room for. */
async function findRequestable(
  work: DecisionWork,
  { question, part, basis, reading }: RequestSearch,
): Promise<Result<FoundPage<AccessEntity>, ApiFailure>> {
  const { resourceType: type } = question;
  const { after, limit } = part;
  if (!isAccessResource(type)) return ok(foundPage(part, [], null));
  const ids = itemIds(basis.index.catalogue, type).filter((id) => id > after);
  const found: string[] = [];
  let atOnce = Math.min(limit * 2, AT_ONCE_MAX);
  for (let start = 0; start < ids.length && found.length <= limit; start += atOnce, atOnce = AT_ONCE_MAX) {
    await work.services.jobs.yield(work.job);
    const some = ids.slice(start, start + atOnce);
    const refs = some.map((id) => ({ type: ACCESS_TYPE_OF[type], id }));
    const permitted = judgeRefs(basis, reading, refs);
    for (const [at, id] of some.entries()) {
      if (found.length > limit) break;
      if (permitted[at] === true) found.push(id);
      // An exception may cover what it violates.
      else if (reading.exceptions !== null) {
        const { subject, action, time, fromLevel } = question;
        const resource = { type, id, accessRefs: null };
        const decided = await decide(work, { subject, action, resource, time, fromLevel });
        if (!decided.ok) return decided;
        if (decided.value.decision) found.push(id);
      }
    }
  }
  const shown = found.slice(0, limit);
  const next = found.length > limit ? (shown.at(-1) ?? null) : null;
  return ok(
    foundPage(
      part,
      shown.map((id) => ({ type, id })),
      next,
    ),
  );
}
