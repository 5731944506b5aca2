import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type StartTexts } from './en.ts'

export const texts = textsOf<StartTexts>({ en, de, ar })
