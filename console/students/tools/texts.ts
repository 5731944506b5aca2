import { textsOf } from '../../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type ToolTexts } from './en.ts'

export const texts = textsOf<ToolTexts>({ en, de, ar })
