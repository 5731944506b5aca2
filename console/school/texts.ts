import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type SchoolTexts } from './en.ts'

export const texts = textsOf<SchoolTexts>({ en, de, ar })
