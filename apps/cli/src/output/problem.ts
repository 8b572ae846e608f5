import { escapeControls } from './escape.ts';

/** A place in a file: line and column from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something wrong in a file. */
export interface Problem {
  readonly at: Position;
  readonly text: string;
}

/** A position as editors and terminals understand it. */
export const formatPosition = ({ file, line, column }: Position): string => `${escapeControls(file)}:${line}:${column}`;

/** A problem in a line. */
export const formatProblem = ({ at, text }: Problem): string => `${formatPosition(at)}: ${escapeControls(text)}`;
