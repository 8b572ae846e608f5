// The package is a style sheet: it is imported for its effect, or read as a file.
export {};
