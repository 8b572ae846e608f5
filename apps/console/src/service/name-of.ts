/** What a person is called: their name, or the id where it is unknown or empty. */
export const nameOf = (id: string, displayName: string | null | undefined): string =>
  displayName == null || displayName.trim() === '' ? id : displayName;
