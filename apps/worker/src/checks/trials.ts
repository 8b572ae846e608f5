/** A check that was claimed before and is being tried. */
export interface Trial {
  /** From now on no other check is begun. */
  beAlone(): void;
  end(): void;
}

/**
 * Checks that were claimed before are tried one after the other: each may end the process, as it may have done before, so that
 * meanwhile nothing is claimed or begun that would lose an attempt by it.
 */
export interface Trials {
  isUnderWay(): boolean;
  begin(): Trial;
  /** Resolves when no check has to be alone. */
  whenOver(): Promise<void> | undefined;
}

export function createTrials(): Trials {
  let current: Trial | null = null;
  let alone: PromiseWithResolvers<void> | null = null;
  return {
    isUnderWay: () => current !== null,
    begin: () => {
      const trial: Trial = {
        beAlone: () => {
          if (current === trial) alone = Promise.withResolvers();
        },
        end: () => {
          if (current !== trial) return;
          current = null;
          alone?.resolve();
          alone = null;
        },
      };
      current = trial;
      return trial;
    },
    whenOver: () => alone?.promise,
  };
}
