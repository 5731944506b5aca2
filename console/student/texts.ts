import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type StudentTexts } from './en.ts'

export const texts = textsOf<StudentTexts>({ en, de, ar })
