import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { type ClassTexts, en } from './en.ts'

export const texts = textsOf<ClassTexts>({ en, de, ar })
