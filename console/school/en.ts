/** The texts of the school. The other languages have the type of this one. */
export const en = {
  name: 'Name',
  nameHint: 'It stands at the top of each page, and on what is printed.',
  address: 'Address',
  timeZone: 'Time zone',
  timeZoneNow: (now: string) => `In this zone it is ${now} now.`,
  timeZoneHint: (example: string) => `For example ${example}.`,
  nameOrder: 'Order of names',
  nameOrderHint: 'For students of whom only the parts of the name are entered, from now on.',
  orders: {
    given_first: 'Given name first: Zoë Müller',
    family_first: 'Family name first: Müller Zoë',
  },
}

export type SchoolTexts = typeof en
