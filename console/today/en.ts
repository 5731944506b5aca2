/** The texts of Today. The other languages have the type of this one. */
export const en = {
  toLook: 'To look at',
  watched: {
    birth: 'Without a date of birth',
    phone: 'Without a guardian’s phone number',
    doubles: 'Possible doubles',
    imports: 'Unfinished imports',
    classImports: 'Unfinished imports of classes',
  },
  printClass: 'Print the class',
  printClasses: 'Print all classes',
  byClass: 'Students by class',
  class: 'Class',
  students: 'Students',
  allClasses: (count: string) => `Show all ${count} classes`,
  latest: 'What you changed last',
  none: 'You have changed nothing yet.',
  more: 'More in the log',
}

export type TodayTexts = typeof en
