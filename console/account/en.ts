import { plural } from '../language/plurals.ts'

/** The texts of the own account. The other languages have the type of this one. */
export const en = {
  name: 'Name',
  email: 'E-mail address',
  roles: 'Roles',
  noRole: 'none yet',
  password: 'Password',
  passwordText: 'When you change it, every other sign-in of your account ends.',
  current: 'Present password',
  next: 'New password',
  change: 'Change the password',
  changed: 'The password is changed.',
  sessions: 'Where you are signed in',
  device: 'Browser or program',
  since: 'Signed in',
  used: 'Last used',
  address: 'From the address',
  here: 'here',
  unknown: 'unknown',
  end: 'Sign out',
  endOf: (device: string, since: string) => `Sign out: ${device}, ${since}`,
  endOthers: 'Sign out everywhere else',
  ended: (count: number) => plural.en(count, { one: '# sign-in is ended.', other: '# sign-ins are ended.' }),
  on: (browser: string, system: string) => `${browser} on ${system}`,
}

export type OwnTexts = typeof en
