import { SUBJECTS } from './subjects.ts';

// Started by alternate-subjects.ts with a checkout's folder, the name of a subject and its argument. Says when it is ready,
// measures a round for each message, and ends when its parent disconnects.
const [folder = '', name = '', argument = ''] = process.argv.slice(2);
const subject = await SUBJECTS[name as keyof typeof SUBJECTS](folder, argument);
process.on('message', async () => process.send?.(await subject.round()));
process.on('disconnect', async () => {
  if ('close' in subject) await subject.close?.();
  process.exit(0);
});
process.send?.({});
