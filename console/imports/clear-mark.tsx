import { textsOf } from '../language/language.ts'

/** Beside what says it: few ask for it. */
const clearTexts = textsOf<{ readonly hint: string; readonly blanks: string }>({
  en: {
    hint: 'Write the sign. An empty cell in the file changes nothing.',
    blanks: 'Blanks are no sign: nobody sees them.',
  },
  de: {
    hint: 'Schreiben Sie das Zeichen. Eine leere Zelle in der Datei ändert nichts.',
    blanks: 'Leerzeichen sind kein Zeichen: Niemand sieht sie.',
  },
  ar: {
    hint: 'اكتب العلامة. الخلية الفارغة في الملف لا تغيّر شيئًا.',
    blanks: 'المسافات ليست علامة: لا يراها أحد.',
  },
})

/** A text of the file that takes a value away. */
export function Screen({ mark, take }: { mark: string; take: (mark: string) => void }) {
  const isBlank = mark !== '' && mark.trim() === ''
  return (
    <div class="field">
      <span class="hint" id="clear-hint">
        {clearTexts().hint}
      </span>
      {isBlank && (
        <span class="fault" id="clear-fault" role="alert">
          × {clearTexts().blanks}
        </span>
      )}
      <input
        class="narrow"
        aria-labelledby="question"
        aria-invalid={isBlank}
        aria-describedby={isBlank ? 'clear-fault clear-hint' : 'clear-hint'}
        dir="auto"
        autocomplete="off"
        value={mark}
        onInput={(event) => take(event.currentTarget.value)}
      />
    </div>
  )
}
