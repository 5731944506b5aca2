import type { Said as Text } from './told.ts'

/** A sentence of the reader's language, or one of the server's, which is English. */
export const Said = ({ text, isEnglish }: Text) => (
  <span lang={isEnglish ? 'en' : undefined} dir="auto">
    {text}
  </span>
)
