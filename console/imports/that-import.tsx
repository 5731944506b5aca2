import { textsOf } from '../language/language.ts'

const words = textsOf({ en: 'To that import', de: 'Zu jenem Import', ar: 'إلى ذلك الاستيراد' })

/** The way to an import of before. */
export function ThatImport({ id }: { id: number }) {
  return <a href={`#/imports/${id}`}>{words()}</a>
}
