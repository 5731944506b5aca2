/** The texts of the form for a new student. The other languages have the type of this one. */
export const en = {
  title: 'New student',
  save: 'Save, and enter the next',
  wholeName: 'One field for the whole name',
  nameParts: 'Given and family name apart',
  saveLast: 'Save, and finish',
  leave: 'Leave without saving',
  done: 'Done',
  saved: (name: string) => `${name} is entered.`,
  open: 'Open',
  taken: (name: string, label: string) => `The number is that of ${name}, ${label}.`,
  double: 'A student like this is there already.',
  thisChild: 'This child: open',
  anotherChild: 'Another child: save',
}

export type NewStudentTexts = typeof en
