import { PREDICTIONS } from '@access-admin/contract';
import { Hono } from 'hono';
import type { ApiEnv } from '../env.ts';
import { route } from '../operations/route.ts';
import { predict } from './predictions/predict.ts';
import { predictBatch } from './predictions/predict-batch.ts';

/** Predictions of violations. */
export const predictions = () =>
  new Hono<ApiEnv>().on(...route(PREDICTIONS.predict, predict)).on(...route(PREDICTIONS.predictBatch, predictBatch));
