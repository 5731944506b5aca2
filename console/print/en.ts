import { numberIn } from '../language/plurals.ts'

const n = (count: number) => numberIn('en', count)

/** The texts of what is printed. The other languages have the type of this one. */
export const en = {
  kinds: {
    list: 'This list',
    classes: 'One page a class',
    photo: 'Photo day',
    record: 'Record',
    confirmation: 'Confirmation of enrolment',
  },
  withTicks: 'With boxes to tick',
  withBlanks: 'With empty columns',
  what: 'What',
  title: 'Title',
  ticks: 'Boxes to tick',
  blanks: 'Empty columns',
  none: 'none',
  heads: 'Their heads',
  headsHint: 'With commas between: Monday, Tuesday',
  paper: 'Paper',
  papers: { portrait: 'upright', landscape: 'sideways' },
  rows: 'Students on a page',
  rowsHint: 'as many as fit',
  back: 'Back',
  hint: 'A4 or Letter: choose it in the browser’s dialog. Turn off headers and footers there.',
  reading: (read: number, total: number) => `${n(read)} of ${n(total)} are read.`,
  unfinished: 'Not all students are here yet, so nothing is printed.',
  changing: 'The list changes while it is read.',
  tooMany: (most: number) =>
    `More than ${n(most)} students are not printed at once. Filter the list, or export it.`,
  leftOut: (columns: string) => `Not printed: ${columns}.`,
  chooseColumns: 'To print them too, choose them under “Columns” in the list of students.',
  longClasses: 'Too long for one page:',
  longClass: (label: string, count: string, pages: number) => `${label} (${count}, about ${n(pages)} pages)`,
  place: 'No.',
  photoHeads: ['Photo', 'Note'] as readonly string[],
  keep: (name: string) => `Keep this layout with ${name}`,
  kept: (name: string) => `The layout is kept with ${name}.`,
  confirms: 'We confirm that this child attends our school.',
  stamp: 'Stamp of the school',
  signature: 'Place, day, signature',
  noSchool: 'The school has no name yet.',
  toSchool: 'Enter its name and address',
}

export type PrintTexts = typeof en
