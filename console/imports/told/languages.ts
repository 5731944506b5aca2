import { ar as houseAr } from '../../language/ar.ts'
import { de as houseDe } from '../../language/de.ts'
import { en as houseEn } from '../../language/en.ts'
import { ar } from '../ar.ts'
import { de } from '../de.ts'
import { en } from '../en.ts'
import { ofFile } from './of-file.ts'

/* All languages at once, for the server. A browser has them by signals. */

export { columnIn, type Words } from './columns.ts'
export { faultIn } from './faults.ts'

export const languages = {
  en: { house: houseEn, own: en, ofFile: ofFile.en },
  de: { house: houseDe, own: de, ofFile: ofFile.de },
  ar: { house: houseAr, own: ar, ofFile: ofFile.ar },
} as const
