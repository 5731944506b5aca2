import { texts } from './texts.ts'

/** What all guardians without a name are called. */
export const Screen = ({ word, take }: { word: string; take: (word: string) => void }) => (
  <div class="field">
    <input
      class="narrow"
      aria-label={texts().choices.wordForAll}
      dir="auto"
      autocomplete="off"
      maxLength={255}
      value={word}
      onInput={(event) => take(event.currentTarget.value)}
    />
  </div>
)
