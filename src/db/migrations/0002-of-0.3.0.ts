import { classMark, scale } from './0002-scale.ts'

/**
 * What release 0.3.0 ran on SQLite as migration 2: without the token of a class. Migration 4 makes anew all in which
 * the two differ.
 */
export const scaleOf030: readonly string[] = scale.statements.sqlite.map((statement) =>
  statement
    .replace(` || ' ' || char(1) || class_id from students`, ' from students')
    .replace(classMark, '')
    .replace('of search_text, class_id on', 'of search_text on'),
)
