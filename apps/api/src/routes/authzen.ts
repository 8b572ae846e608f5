import { AUTHZEN } from '@access-admin/contract';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { route } from '../operations/route.ts';
import { evaluate } from './authzen/evaluate.ts';
import { evaluateMany } from './authzen/evaluate-many.ts';
import { searchActions } from './authzen/search-actions.ts';
import { searchResources } from './authzen/search-resources.ts';
import { searchSubjects } from './authzen/search-subjects.ts';

/** Decisions and searches of the AuthZEN Authorization API 1.0. */
export const authzen = () =>
  new Hono<ApiEnv>()
    .on(...route(AUTHZEN.evaluate, evaluate))
    .on(...route(AUTHZEN.evaluateMany, evaluateMany))
    .on(...route(AUTHZEN.searchSubjects, searchSubjects))
    .on(...route(AUTHZEN.searchResources, searchResources))
    .on(...route(AUTHZEN.searchActions, searchActions));
