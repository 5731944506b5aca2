import { plural } from '../language/plurals.ts'

/** The texts of the first steps. The other languages have the type of this one. */
export const en = {
  label: 'Steps',
  steps: { school: 'School', classes: 'Classes', students: 'Students' },
  school: 'What is your school called? All of this can be changed later, under “School”.',
  saveOn: 'Save, and go on',
  skip: 'Skip',
  classes: (count: number) => plural.en(count, { one: '# class is there:', other: '# classes are there:' }),
  noClasses: 'There are no classes yet.',
  ask: 'Are these your classes?',
  ways: { keep: 'Keep them', rename: 'Rename them', replace: 'Use my own list' },
  on: 'Go on',
  students: 'Now the children. Nothing of an import is written before you have seen it.',
  later: 'Later: to the students',
}

export type StartTexts = typeof en
