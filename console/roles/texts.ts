import { textsOf } from '../language/language.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type RoleTexts } from './en.ts'

export const texts = textsOf<RoleTexts>({ en, de, ar })
