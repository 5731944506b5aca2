/** What is said of one student, and of a new one. The other languages have the type of this one. */
export const en = {
  alsoOf: 'also of',
  alsoChange: 'Other children have this guardian. Make the same change there?',
  changeToo: 'Make the same change',
  notForThem: 'Not there',
  close: 'Close',
  changedThere: 'Not saved: what stands there changed meanwhile. Open it and look.',
  moveClass: 'Move class',
  toClass: 'To class',
  move: 'Move',
  typedBefore: 'What you typed for the new student',
  typedHint: 'Choose what is to be saved here.',
  stands: 'Stands here',
  typed: 'Typed',
  newGuardian: (name: string) => `New guardian: ${name}`,
  saveChosen: 'Save what is chosen',
  leaveOut: 'Drop what I typed',
  asFor: 'Guardians as for …',
  asForWhom: 'Guardians as for which child?',
  asForHint: 'Type a name, a number or a guardian’s phone. What is taken can still be changed.',
  hasNoGuardians: (name: string) => `${name} has no guardians entered.`,
  taken: (name: string) => `Taken from ${name}.`,
}

export type StudentTexts = typeof en
