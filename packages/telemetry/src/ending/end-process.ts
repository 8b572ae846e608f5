/** What a process does within this time after the last of what it has opened is closed need not be waited for. */
const LEFT_MS = 100;

/**
 * Ends the process when everything that is opened after this is closed. The exporters of OpenTelemetry try again for seconds
 * after they were told to end, and would keep it.
 */
export const endProcess = (): Disposable => ({
  [Symbol.dispose]: () => void setTimeout(() => process.exit(), LEFT_MS).unref(),
});
