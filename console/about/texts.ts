import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { type AboutTexts, en } from './en.ts'

export const texts = textsOf<AboutTexts>({ en, de, ar })
