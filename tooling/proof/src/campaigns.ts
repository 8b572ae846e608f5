import type { Campaign } from './campaign.ts';
import { c1 } from './concurrency/c1.ts';
import { c2 } from './concurrency/c2.ts';
import { z1 } from './door/z1.ts';
import { z2 } from './door/z2.ts';
import { f9 } from './door-load/f9.ts';
import { f7 } from './postgres/f7.ts';
import { f1 } from './processes/f1.ts';
import { f4 } from './processes/f4.ts';
import { f8 } from './processes/f8.ts';
import { g1 } from './processes/g1.ts';
import { a1 } from './rights/a1.ts';
import { a2 } from './rights/a2.ts';
import { p1 } from './rules/p1.ts';
import { p2 } from './rules/p2.ts';
import { b1 } from './storage/b1.ts';
import { f2 } from './storage/f2.ts';
import { f3 } from './storage/f3.ts';
import { u1 } from './storage/u1.ts';

/** All campaigns, in the order of a whole run. */
export const campaigns: readonly Campaign[] = [f1, f2, f3, f4, f7, f8, f9, g1, c1, c2, p1, p2, u1, b1, z1, z2, a1, a2];
