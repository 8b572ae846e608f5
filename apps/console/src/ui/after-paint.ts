/** A window that is hidden paints no frames. */
const LONGEST_MS = 100;

/** Resolves in a task after the next frame, so that the frame shows what the present task has changed. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST_MS);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      // The callback itself runs before the frame is painted.
      setTimeout(resolve);
    });
  });
}
