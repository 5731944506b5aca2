import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type NewStudentTexts } from './en.ts'

export const texts = textsOf<NewStudentTexts>({ en, de, ar })
