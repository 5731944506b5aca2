import type { DetailName } from '../students/details.ts'

/** What stands of a guardian, in the order of columns. */
export const guardianParts = ['name', 'relation', 'phone', 'email', 'address', 'note'] as const

/** The languages in which the columns of a file can be headed (ISO 639-1). */
export const headingLanguages = ['en', 'de', 'fr', 'es', 'ar'] as const

export type HeadingLanguage = (typeof headingLanguages)[number]

type Line = readonly [en: string, de: string, fr: string, es: string, ar: string]

/* Each is a heading that an import knows as this column; a test reads all of them back. */

/** Of a student's own columns. All others are headed by their names, as programs have them. */
const plain: Readonly<Record<string, Line> & Record<DetailName, Line>> = {
  name: ['Full name', 'Vollständiger Name', 'Nom complet', 'Nombre completo', 'الاسم الكامل'],
  preferred_name: ['Preferred name', 'Rufname', 'Prénom usuel', 'Nombre preferido', 'الاسم المفضل'],
  given_name: ['Given name', 'Vorname', 'Prénom', 'Nombre de pila', 'الاسم الأول'],
  family_name: ['Family name', 'Nachname', 'Nom de famille', 'Apellidos', 'اسم العائلة'],
  former_names: ['Former names', 'Frühere Namen', 'Anciens noms', 'Nombres anteriores', 'الأسماء السابقة'],
  admission_number: [
    'Admission number',
    'Schülernummer',
    "Numéro d'élève",
    'Número de matrícula',
    'رقم الطالب',
  ],
  class: ['Class', 'Klasse', 'Classe', 'Clase', 'الصف'],
  date_of_birth: [
    'Date of birth',
    'Geburtsdatum',
    'Date de naissance',
    'Fecha de nacimiento',
    'تاريخ الميلاد',
  ],
  gender: ['Gender', 'Geschlecht', 'Genre', 'Género', 'الجنس'],
  email: ['Email', 'E-Mail-Adresse', 'Adresse e-mail', 'Correo electrónico', 'البريد الإلكتروني'],
  address: ['Address', 'Adresse', 'Adresse postale', 'Dirección', 'العنوان'],
  notes: ['Notes', 'Bemerkungen', 'Remarques', 'Observaciones', 'ملاحظات'],
}

const guardian: Line = ['Guardian', 'Erziehungsberechtigte', 'Responsable', 'Tutor legal', 'ولي الأمر']

const parts: Readonly<Record<(typeof guardianParts)[number], Line>> = {
  name: ['name', 'Name', 'nom', 'nombre', 'الاسم'],
  relation: ['relation', 'Verwandtschaft', 'lien', 'parentesco', 'صلة القرابة'],
  phone: ['phone', 'Telefon', 'téléphone', 'teléfono', 'رقم الهاتف'],
  email: ['email', 'E-Mail', 'e-mail', 'correo', 'البريد الإلكتروني'],
  address: ['address', 'Adresse', 'adresse', 'dirección', 'العنوان'],
  note: ['note', 'Notiz', 'remarque', 'observaciones', 'ملاحظات'],
}

/** How a column is headed; without a language, by its name. */
export function headingOf(column: string, language: HeadingLanguage | undefined): string {
  return inLanguage(plain[column], language) ?? column
}

/** How a guardian's part is headed. @param number counts from 1 */
export function guardianHeading(
  number: number,
  part: (typeof guardianParts)[number],
  language: HeadingLanguage | undefined,
): string {
  if (language === undefined) return `guardian_${number}_${part}`
  return `${inLanguage(guardian, language)} ${number} ${inLanguage(parts[part], language)}`
}

function inLanguage(line: Line | undefined, language: HeadingLanguage | undefined): string | undefined {
  return language && line?.[headingLanguages.indexOf(language)]
}
