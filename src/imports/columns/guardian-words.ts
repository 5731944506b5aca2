import type { GuardianPart } from './guardian-columns.ts'
import { foldHeading } from './headings.ts'
import type { NamePart } from './name-parts.ts'

/* How headings speak of guardians: "Mother's phone", "Erziehungsberechtigte 1 Telefon". */

/** What a guardian is to the student, where a heading says it. */
export type Role = 'mother' | 'father'

/** A heading that speaks of a guardian. */
export interface GuardianHeading {
  readonly part: GuardianPart
  /** Which half of a name it is; undefined: the whole, or the other half of what stands in another column. */
  readonly half?: NamePart
  /** Which guardian; undefined: the heading does not say. */
  readonly number: number | undefined
  readonly role: Role | undefined
  /** The role in the heading's language. */
  readonly word: string | undefined
}

const words = (text: string) => text.split(',').map(foldHeading)

const guardians = new Set([
  ...words('guardian,legal guardian,parent,carer,caregiver,parent carer,parent guardian'),
  ...words('guardian parent,parent or guardian,parent or carer,parent and guardian'),
  ...words('Erziehungsberechtigter,Erziehungsberechtigte,Erziehungsberechtigten,Erziehungsberechtigte/r'),
  ...words('Sorgeberechtigter,Sorgeberechtigte,Sorgeberechtigten,Sorgeberechtigte/r,Elternteil,Vormund'),
  ...words(
    'responsable,responsable légal,resp,resp légal,rep légal,représentant légal,tuteur légal,tuteur,tutrice',
  ),
  ...words('tutor legal,tutora legal,apoderado,apoderada,acudiente,representante,representante legal'),
  ...words('padre o tutor,madre o tutora,padre madre o tutor,Erzieher,Erz,RL'),
  ...words('ولي الأمر,ولي أمر,ولي أمر الطالب,ولي أمر التلميذ,الوصي'),
])

/** The same, where nobody else is called so: a `Tutor` may be a teacher, and a `Contact` a neighbour. */
const numbered = new Map([
  ...words('primer tutor,primera tutora,tutor 1,tutora 1,primary guardian,contact 1').map(
    (one) => [one, 1] as const,
  ),
  ...words('segundo tutor,segunda tutora,tutor 2,tutora 2,secondary guardian,contact 2').map(
    (one) => [one, 2] as const,
  ),
])

/** The words for each role; the first of a line is the one for a relation, in its language. */
const roleWords: readonly (readonly [Role, string])[] = [
  ['mother', 'mother,mothers,mum,mom'],
  ['mother', 'Mutter'],
  ['mother', 'mère'],
  ['mother', 'madre'],
  ['mother', 'الأم,أم,الوالدة,والدة'],
  ['father', 'father,fathers,dad'],
  ['father', 'Vater,Vaters'],
  ['father', 'père'],
  ['father', 'padre'],
  ['father', 'الأب,أب,الوالد,والد'],
]

const roles = new Map(
  roleWords.flatMap(([role, line]) => {
    const [first] = line.split(',')
    return words(line).map((word) => [word, { role, word: first! }] as const)
  }),
)

const partWords: Readonly<Record<GuardianPart, readonly string[]>> = {
  name: [
    ...words('name,full name,Name und Vorname,Vor- und Nachname,nom,nom complet,nom et prénom'),
    ...words('nombre,nombre completo,nombre y apellidos,اسم,الاسم,الاسم الكامل'),
  ],
  relation: [
    ...words('relation,relationship,relation to student,relationship to student,relationship to pupil'),
    ...words('relation to child,relationship to child,relation to pupil,Verwandtschaft,Verhältnis'),
    ...words('Verwandtschaftsverhältnis,Beziehung,lien,lien de parenté,parenté,parentesco,relación'),
    ...words('صلة القرابة,القرابة,صلة'),
  ],
  phone: [
    ...words('phone,phone number,phone no,telephone,telephone number,tel,tel no,mobile,mobile phone'),
    ...words('mobile number,mobile no,cell,cell phone,contact number,contact no,home phone'),
    ...words('Telefon,Telefonnummer,Telefonnr,Handy,Handynummer,Mobil,Mobilnummer,Festnetz'),
    ...words('téléphone,numéro de téléphone,téléphone portable,portable,gsm,tél portable,tél mobile'),
    ...words('téléphone mobile,téléphone fixe,tél fixe,tél domicile,numéro de portable'),
    ...words('teléfono,número de teléfono,teléfono móvil,móvil,celular,fono'),
    ...words('Telefon privat,Telefon dienstlich,Tel privat,Tel dienstlich,Mobiltelefon,work phone'),
    ...words('هاتف,الهاتف,رقم الهاتف,رقم هاتف,جوال,الجوال,رقم الجوال,رقم جوال,موبايل,تليفون,رقم تليفون'),
  ],
  email: [
    ...words('email,e-mail,mail,email address,e-mail address,E-Mail-Adresse,Mailadresse,courriel'),
    ...words(
      'adresse e-mail,adresse mail,mél,correo,correo electrónico,البريد الإلكتروني,بريد إلكتروني,بريد',
    ),
  ],
  address: [
    ...words('address,home address,postal address,Adresse,Anschrift,Wohnadresse,adresse postale,domicile'),
    ...words('dirección,domicilio,عنوان,العنوان'),
  ],
  note: words(
    'note,notes,remarks,comment,Notiz,Bemerkung,Bemerkungen,remarque,remarques,observaciones,ملاحظات',
  ),
}

const parts = new Map(
  Object.entries(partWords).flatMap(([part, all]) =>
    all.map((word) => [word, part as GuardianPart] as const),
  ),
)

const halves: ReadonlyMap<string, NamePart> = new Map([
  ...words('first,first name,given name,given names,forename,forenames,Vorname,Vornamen,prénom,prénoms').map(
    (word) => [word, 'given'] as const,
  ),
  ...words(
    'last,last name,surname,family name,Nachname,Familienname,Zuname,nom de famille,apellido,apellidos',
  ).map((word) => [word, 'family'] as const),
  ...words('primer apellido,apellido paterno').map((word) => [word, 'family'] as const),
  ...words('segundo apellido,apellido materno').map((word) => [word, 'second'] as const),
])

/** Words that stand between the others. */
const between = new Set(words('of,the,de,del,la,le,el,du,des,der,die,das'))

/** What a heading says of a guardian; undefined: it says nothing of one, or something that is not known. */
export function guardianHeading(heading: string): GuardianHeading | undefined {
  const all = foldHeading(heading).split(' ')
  const found = findGuardian(all)
  if (found === undefined) return undefined
  const rest = [...all.slice(0, found.from), ...all.slice(found.to)]
  const digits = rest.filter((word) => /^(?:[1-9]|10)$/.test(word))
  const left = rest.filter((word) => !digits.includes(word))
  const numbers = found.number === undefined ? digits.map(Number) : [found.number, ...digits.map(Number)]
  const part = left.length === 0 ? 'name' : (parts.get(left.join(' ')) ?? parts.get(plainly(left)))
  const half = halves.get(left.join(' ')) ?? halves.get(plainly(left))
  if (half !== undefined && !(found.is.role && numbers.length > 0))
    return {
      part: 'name',
      half,
      number: numbers[0],
      ...found.is,
    }
  if (part === undefined || numbers.length > 1) return undefined
  return { part, number: numbers[0], ...found.is }
}

const plainly = (left: readonly string[]) => left.filter((word) => !between.has(word)).join(' ')

/** The longest words that mean a guardian, and where they stand. Two guardians in one heading are none. */
function findGuardian(all: readonly string[]) {
  for (let length = Math.min(4, all.length); length > 0; length--) {
    for (let from = 0; from + length <= all.length; from++) {
      const text = all.slice(from, from + length).join(' ')
      const role = roles.get(text)
      const number = numbered.get(text)
      if (role === undefined && number === undefined && !guardians.has(text)) continue
      const others = [...all.slice(0, from), ...all.slice(from + length)]
      if (others.some((word) => roles.has(word) || guardians.has(word))) return undefined
      return { from, to: from + length, number, is: { role: role?.role, word: role?.word } }
    }
  }
  return undefined
}

/** The role that a text for a relation tells, in any of the languages. */
export function roleOf(relation: string): Role | undefined {
  return roles.get(foldHeading(relation))?.role
}

/** What headings may say of guardians, for documents. */
export const guardianWords = {
  guardians: [...guardians],
  roles: [...roles.keys()],
  parts: partWords,
}
