import { t } from '../language/language.ts'
import { letSingleKeys, singleKeys } from './keys.ts'

/** Which keys there are. Single letters can be turned off (WCAG 2.2, 2.1.4). */
export function KeysMenu() {
  const texts = t().keys
  const keys: [keys: string, what: string][] = [
    ['/', texts.search],
    ['n', texts.add],
    ['j k', texts.names],
    ['e', texts.edit],
    [texts.controlS, texts.save],
    ['Esc', texts.cancel],
    ['?', texts.show],
  ]
  return (
    <details class="menu-button" data-keys>
      <summary>{texts.title}</summary>
      <div>
        <dl class="keys">
          {keys.map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd dir="ltr">{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
        <div class="choice">
          <input
            type="checkbox"
            id="single-keys"
            checked={singleKeys.value}
            onChange={({ currentTarget: { checked } }) => letSingleKeys(checked)}
          />
          <label for="single-keys">{texts.single}</label>
        </div>
      </div>
    </details>
  )
}
