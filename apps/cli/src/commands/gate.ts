import { GATE_FORMATS, type GateReport } from '../gates/report.ts';
import { writeReport } from '../gates/write.ts';
import { EXIT, type ExitCode } from '../output/failure.ts';
import { type CommandParent, formatOf } from './context.ts';

/** Writes the report of a gate and returns how the command ends: clean, or tripped where it does not pass. */
export async function endGate(parent: CommandParent, report: GateReport, passes: boolean): Promise<ExitCode> {
  const { output, version } = parent.context;
  await writeReport(report, { output, version, format: formatOf(parent, GATE_FORMATS) });
  return passes ? EXIT.done : EXIT.gate;
}
