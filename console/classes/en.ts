import { plural } from '../language/plurals.ts'

/** The texts of the classes. The other languages have the type of this one. */
export const en = {
  count: (count: number) => plural.en(count, { one: '# class', other: '# classes' }),
  none: 'There are no classes yet.',
  label: 'Class',
  students: 'Students',
  studentsOf: (label: string) => `Students of ${label}`,
  printAll: 'Print all classes',
  printOf: (label: string) => `Print: ${label}`,
  archived: 'Archived classes',
  archivedHint: 'They take no new students. Who is in one stays.',
  change: 'Rename',
  changeOf: (label: string) => `Rename: ${label}`,
  rename: 'Name of the class',
  archive: 'Archive',
  restore: 'Restore',
  remove: 'Remove',
  archiveOf: (label: string) => `Archive: ${label}`,
  restoreOf: (label: string) => `Restore: ${label}`,
  removeOf: (label: string) => `Remove: ${label}`,
  wasArchived: (label: string) => `${label} is archived.`,
  wasRestored: (label: string) => `${label} is restored.`,
  wasRemoved: (label: string) => `${label} is removed.`,
  add: 'New classes',
  import: 'Import classes',
  labels: 'Names of the new classes',
  labelsHint: 'One on a line, or with commas between. You can paste a column of a table.',
  make: 'Make the classes',
  made: (count: number) => plural.en(count, { one: '# class is made.', other: '# classes are made.' }),
  removed: (count: number) =>
    plural.en(count, { one: '# class is removed.', other: '# classes are removed.' }),
  renamed: (count: number) =>
    plural.en(count, { one: '# class is renamed.', other: '# classes are renamed.' }),
  allLabels: 'Names of all classes',
  unusedGo: 'Classes that nobody was ever in and that are not in your list are removed.',
  willMake: (count: number, labels: string) =>
    plural.en(count, {
      one: `# class will be made: ${labels}.`,
      other: `# classes will be made: ${labels}.`,
    }),
  willGo: (count: number, labels: string) =>
    plural.en(count, {
      one: `# class will be removed: ${labels}.`,
      other: `# classes will be removed: ${labels}.`,
    }),
  line: (line: string) => `“${line}”`,
  leftOver: 'These were not made, and still stand in the field:',
  order: 'Order',
  orderText: 'Move the classes, or order them by name. Lists follow this order once you save it.',
  byName: 'Order by name',
  up: (label: string) => `Up: ${label}`,
  down: (label: string) => `Down: ${label}`,
  place: (label: string, place: number) => `${label}: place ${place}`,
  ordered: 'The order is saved.',
}

export type ClassTexts = typeof en
