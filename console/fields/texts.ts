import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type FieldTexts } from './en.ts'

export const texts = textsOf<FieldTexts>({ en, de, ar })
