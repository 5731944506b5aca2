import { address, printPath } from '../frame/address.ts'
import { recordKinds } from './layout.ts'
import { texts } from './texts.ts'

/** The ways in which the student on the screen is printed. */
export function Screen() {
  const student = String(address.value.id)
  return (
    <ul class="files">
      {recordKinds.map((as) => (
        <li key={as}>
          <a href={printPath({ student, as })}>{texts().kinds[as]}</a>
        </li>
      ))}
    </ul>
  )
}
