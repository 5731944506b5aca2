import { textsOf } from '../language/language.ts'

/** Beside what says it: few ask for it. */
const hint = textsOf<string>({
  en: 'Write the sign. An empty cell in the file changes nothing.',
  de: 'Schreiben Sie das Zeichen. Eine leere Zelle in der Datei ändert nichts.',
  ar: 'اكتب العلامة. الخلية الفارغة في الملف لا تغيّر شيئًا.',
})

/** A text of the file that takes a value away. */
export const Screen = ({ mark, take }: { mark: string; take: (mark: string) => void }) => (
  <div class="field">
    <span class="hint" id="clear-hint">
      {hint()}
    </span>
    <input
      class="narrow"
      aria-labelledby="question"
      aria-describedby="clear-hint"
      dir="auto"
      autocomplete="off"
      value={mark}
      onInput={(event) => take(event.currentTarget.value)}
    />
  </div>
)
