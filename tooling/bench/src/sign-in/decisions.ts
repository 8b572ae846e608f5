import { AUTH_PROFILE_TYPES, compileNetwork, decideSignIn, type SignInFacts } from '@access-admin/domain';
import { figure, type SuiteResult, spreadText } from '../measure/report.ts';
import { measureWork, spreadOf, takeTurns } from '../measure/rounds.ts';
import { createRandom } from '../world/random.ts';

const SEED = 20_261_121;
const QUESTIONS = 4096;
const RANGES = 500;
const ROUND_MS = 400;
const COUNTRIES = ['AT', 'CH', 'DE', 'FR', 'US', 'GB', 'JP', 'BR', 'IN', 'AU'];

/** Decisions a second of one core: CPU time, because other programs may use the machine. */
export async function measureDecisions(): Promise<Omit<SuiteResult, 'name'>> {
  const worlds = [
    { name: 'nothing configured', questions: questionsOf(0) },
    { name: `${RANGES} ranges, ${COUNTRIES.length / 2} countries`, questions: questionsOf(RANGES) },
  ];
  // Counted, so that no decision can be optimized away.
  let allowed = 0;
  const turns = await takeTurns(worlds, async ({ questions }) => {
    const decide = (turn: number) => {
      const facts = questions[turn % QUESTIONS];
      if (facts !== undefined && decideSignIn(facts).decision === 'ALLOW') allowed += 1;
    };
    const before = process.cpuUsage();
    const { calls } = await measureWork(decide, { first: 0, roundMs: ROUND_MS });
    const { user, system } = process.cpuUsage(before);
    return (calls * 1e6) / (user + system);
  });
  return {
    tables: [
      {
        header: ['decisions, all types of auth profiles', 'per second of CPU, median (range)', 'µs'],
        rows: turns.map((perSecond, at) => [
          worlds[at]?.name ?? '',
          spreadText(spreadOf(perSecond)),
          figure(1e6 / spreadOf(perSecond).median),
        ]),
      },
    ],
    figures: worlds.map(({ name }, at) => ({
      name: `decisions a second on one core, ${name}`,
      spread: spreadOf(turns[at] ?? []),
      goal: 200_000,
    })),
    raw: { decisions: { seed: SEED, questions: QUESTIONS, ranges: RANGES, allowed, turns } },
  };
}

/** Draws facts; the addresses are in a range or in none. */
function questionsOf(ranges: number): readonly SignInFacts[] {
  const random = createRandom(SEED);
  const pick = <T>(values: readonly [T, ...(readonly T[])]): T => values[random.below(values.length)] ?? values[0];
  const flag = () => pick([false, true]);
  const rangeOf = (number: number) =>
    number % 2 === 0 ? `10.${number % 256}.${number >> 1}.0/24` : `2001:db8:${number.toString(16)}::/48`;
  const addressOf = (number: number) =>
    number % 2 === 0
      ? `${pick(['10', '11'])}.${number % 256}.${number >> 1}.7`
      : `2001:${pick(['db8', 'db9'])}:${number.toString(16)}::7`;
  const network = compileNetwork({
    range: Array.from({ length: ranges }, (_, number) => rangeOf(number)),
    geolocation: ranges === 0 ? null : COUNTRIES.slice(0, COUNTRIES.length / 2),
    whitelisted: true,
  });
  return Array.from({ length: QUESTIONS }, () => ({
    authProfile: {
      ...{ id: 'ip', name: 'Employees', type: pick(AUTH_PROFILE_TYPES), applicationId: 'directory' },
      ...{ offNetwork: flag(), untrustedGeography: flag(), strongAuthLogin: flag() },
    },
    ...{ lockedOut: random.below(50) === 0, applicationKnown: flag(), network },
    ...{ address: addressOf(random.below(RANGES)), country: pick(['AT', ...COUNTRIES]) },
  }));
}
