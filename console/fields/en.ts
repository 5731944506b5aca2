import { plural } from '../language/plurals.ts'

/** The texts of the school's own fields. The other languages have the type of this one. */
export const en = {
  count: (count: number) => plural.en(count, { one: '# field', other: '# fields' }),
  intro: 'Fields that your school adds to each student: a house, a bus, a consent.',
  none: 'Your school has no fields of its own yet.',
  label: 'Name',
  options: 'Choices',
  optionsHint: 'One on a line, in this order.',
  optionsInUse: (options: string) => `Students have these, so they stay: ${options}`,
  key: 'Key',
  keyHint: 'For files and other programs: small letters, digits and _. Left empty, it is made of the name.',
  fixed: 'Kind and key cannot be changed. For another kind, make a new field.',
  add: 'New field',
  make: 'Make the field',
  wasMade: (label: string) => `The field ${label} is made.`,
  back: 'Back to the fields',
  notThere: 'This field is not there, or you may not see it.',
  archived: 'Archived fields',
  archivedHint: 'Records do not show them. What students have is kept.',
  isArchived: 'Archived',
  archive: 'Archive',
  restore: 'Bring back',
  wasArchived: (label: string) => `${label} is archived. What students have is kept.`,
  wasRestored: (label: string) => `${label} is back.`,
  remove: 'Delete the field',
  removeText: 'Only a field without values can be deleted. This cannot be undone.',
  wasRemoved: (label: string) => `The field ${label} is deleted.`,
  order: 'Order',
  orderText: 'Move the fields, or order them by name. Records show them in this order once you save it.',
  byName: 'Order by name',
  up: (label: string) => `Up: ${label}`,
  down: (label: string) => `Down: ${label}`,
  place: (label: string, place: number) => `${label}: place ${place}`,
  ordered: 'The order is saved.',
  problems: {
    field_label_taken: 'Another field is called this.',
    field_key_taken: 'Another field has this key.',
    field_in_use:
      'Students have values of this field. So it cannot be deleted, and it stays sensitive if it is. Archive it instead.',
    option_in_use: 'Students have one of the choices that would go. Give them another one first.',
    too_many_fields: 'There are 50 fields, as many as there may be. Delete one that nobody has a value of.',
    field_not_found: 'This field is not there any more.',
  },
}

export type FieldTexts = typeof en
