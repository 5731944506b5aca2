import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { type AccountTexts, en } from './en.ts'

export const texts = textsOf<AccountTexts>({ en, de, ar })
