import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type TodayTexts } from './en.ts'

export const texts = textsOf<TodayTexts>({ en, de, ar })
