import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type OwnTexts } from './en.ts'

export const texts = textsOf<OwnTexts>({ en, de, ar })
