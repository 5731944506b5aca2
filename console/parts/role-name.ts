import { textsOf } from '../language/language.ts'

const names = textsOf<Readonly<Record<string, string>>>({
  en: { administrator: 'Administrator', registrar: 'Registrar', viewer: 'Viewer' },
  de: { administrator: 'Verwaltung', registrar: 'Sekretariat', viewer: 'Nur lesen' },
  ar: { administrator: 'مدير', registrar: 'مسجّل', viewer: 'قارئ' },
})

/** A role's name: of a built-in one in the reader's language. */
export const roleName = (name: string) => names()[name] ?? name
