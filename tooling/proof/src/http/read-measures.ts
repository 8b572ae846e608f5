/** Figures of a process from `GET /metrics`. */
export interface Measures {
  readonly residentBytes: number;
  readonly cpuSeconds: number;
  readonly abortedUploads: number;
  readonly cutConnections: number;
  readonly serverErrors: number;
}

export async function readMeasures(baseAddress: string): Promise<Measures> {
  const answer = await fetch(`${baseAddress}/metrics`, { headers: { connection: 'close' } });
  const text = await answer.text();
  const sum = (pattern: RegExp) => [...text.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
  return {
    residentBytes: sum(/^process_resident_memory_bytes (\S+)$/gm),
    cpuSeconds: sum(/^process_cpu_seconds_total (\S+)$/gm),
    abortedUploads: sum(/^access_admin_aborted_uploads_total (\S+)$/gm),
    cutConnections: sum(/^access_admin_cut_connections_total (\S+)$/gm),
    serverErrors: sum(/^access_admin_request_duration_seconds_count\{[^}]*status="5\d\d"[^}]*\} (\S+)$/gm),
  };
}
