import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type LogTexts } from './en.ts'

export const texts = textsOf<LogTexts>({ en, de, ar })
