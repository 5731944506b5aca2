import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { type DoublesTexts, en } from './en.ts'

export const texts = textsOf<DoublesTexts>({ en, de, ar })
