import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type PrintTexts } from './en.ts'

export const texts = textsOf<PrintTexts>({ en, de, ar })
