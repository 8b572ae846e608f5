import { ConflictError, type SodReservation } from '@access-admin/client';
import { line } from '../output/escape.ts';
import { calledWrongly, EXIT } from '../output/failure.ts';
import { accessRefOf } from '../rulebook/refs.ts';
import { withIdentity } from '../service/named-identity.ts';
import { type CommandParent, formatOf, RESULT_FORMATS } from './context.ts';
import { formatContexts, IDENTITY, metadataOf, REFS } from './predict.ts';
import { allOf, withService, writeFacts, writeRows } from './service.ts';

interface ReserveOptions {
  readonly hours?: string;
  readonly reference?: string;
  readonly force?: boolean;
  readonly metadata?: readonly string[];
}

/** `reserve` and `reservations`: access that waits for an approval. */
export function addReserve(parent: CommandParent): void {
  const { program, context, run } = parent;
  const { signal, output } = context;
  program
    .command('reserve')
    .description('reserve access for an identity while its request waits for an approval')
    .argument('<identity>', IDENTITY)
    .argument('<refs...>', REFS)
    .option('--hours <n>', 'how long the reservation lives: 1 to 8760, 336 if left out')
    .option('--reference <text>', 'what you call it, such as the number of the request')
    .option('--force', 'reserve it even if it conflicts')
    .option('--metadata <key=value...>', 'kept with the reservation')
    .action(
      run(
        withService(parent, async ({ client }, given: string, refs: readonly string[], options: ReserveOptions) => {
          const request = {
            accessRefs: refs.map((ref) => accessRefOf(ref)),
            reference: options.reference ?? null,
            clientMetadata: metadataOf(options.metadata),
            ...(options.hours !== undefined && { ttlHours: parseHours(options.hours) }),
            ...(options.force && { onConflict: 'RESERVE' as const }),
          };
          try {
            const reserved = await withIdentity(given, { client, ...context }, (identityId) =>
              client.sodReservations.create({ identityId, ...request }, { signal }),
            );
            return await writeReservation(reserved);
          } catch (error) {
            const prediction = error instanceof ConflictError ? error.prediction : null;
            if (prediction === null) throw error;
            if (formatOf(parent, RESULT_FORMATS) === 'json') await output.write(`${JSON.stringify({ prediction })}\n`);
            else await output.show(formatContexts(prediction.violationContexts));
            output.note(line`not reserved: the access conflicts with what ${given} holds or has reserved`);
            return EXIT.gate;
          }
        }),
      ),
    );
  const group = program.command('reservations').description('reserved access');
  group
    .command('list')
    .description('list reservations')
    .option('--filters <filters>', 'such as: state eq "LIVE" and reference sw "REQ-"')
    .action(
      run(
        withService(parent, async ({ client }, { filters }: { readonly filters?: string }) =>
          writeRows<SodReservation>(parent, await allOf(client.sodReservations.list({ filters, signal })), {
            id: ({ id }) => id,
            state: ({ state }) => state,
            identity: ({ identityId }) => identityId,
            access: ({ accessRefs }) => accessRefs.map(({ id }) => id).join(', '),
            reference: ({ reference }) => reference,
            expires: ({ expires }) => expires,
          }),
        ),
      ),
    );
  group
    .command('settle')
    .description('settle a reservation, because its access was granted')
    .argument('<id>', 'the id of the reservation')
    .action(
      run(
        withService(parent, async ({ client }, id: string) =>
          writeReservation(await client.sodReservations.settle(id, { signal })),
        ),
      ),
    );
  group
    .command('release')
    .description('release a reservation, because its request was refused or given up')
    .argument('<id>', 'the id of the reservation')
    .action(
      run(
        withService(parent, async ({ client }, id: string) => {
          await client.sodReservations.release(id, { signal });
          return writeReservation(await client.sodReservations.get(id, { signal }));
        }),
      ),
    );

  function writeReservation(reservation: SodReservation) {
    const { id, state, identityId, reference, expires } = reservation;
    return writeFacts(parent, reservation, [
      ['id', id],
      ['state', state],
      ['identity', identityId],
      ['reference', reference],
      ['expires', expires],
    ]);
  }
}

function parseHours(text: string): number {
  const hours = Number(text);
  if (!Number.isInteger(hours)) throw calledWrongly('--hours: must be a whole number');
  return hours;
}
