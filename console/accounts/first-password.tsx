import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { User } from '../../client/src/index.ts'
import { Name } from '../parts/name.tsx'
import { school } from '../session/session.ts'
import { isForThisMachine } from './own-machine.ts'
import { texts } from './texts.ts'

/** Without signs that are taken for one another on paper. */
const signs = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 4
const groupLength = 4

/** A password of 79 random bits, in groups that one can read out. */
export function generated(): string {
  const text: string[] = []
  while (text.length < groups * groupLength) {
    const [byte] = crypto.getRandomValues(new Uint8Array(1))
    if (byte! < 256 - (256 % signs.length)) text.push(signs[byte! % signs.length]!)
  }
  return text.join('').replaceAll(/.{4}(?=.)/g, '$&-')
}

/** The password that was set just now, and whose: it is in this tab's memory alone, until the screen is left. */
export const given = signal<{ readonly id: number; readonly password: string } | undefined>(undefined)

/** What its owner is handed: shown once, and printed alone on its page. */
export function Slip({ account, password }: { account: Pick<User, 'name' | 'email'>; password: string }) {
  const say = texts()
  const place = useRef<HTMLElement>(null)
  useLayoutEffect(() => place.current?.focus(), [])
  return (
    <section class="section slip" aria-label={say.slip} tabIndex={-1} ref={place}>
      <h2>{say.slip}</h2>
      <p class="unprinted">{say.slipText}</p>
      <dl class="values">
        {school.value?.name && (
          <div>
            <dt>{say.school}</dt>
            <dd>
              <Name>{school.value.name}</Name>
            </dd>
          </div>
        )}
        <div>
          <dt>{say.name}</dt>
          <dd>
            <Name>{account.name}</Name>
          </dd>
        </div>
        <div>
          <dt>{say.address}</dt>
          <dd>
            {isForThisMachine(location.hostname) ? (
              <>
                <span class="by-hand" />
                <p class="hint unprinted">{say.addressHint}</p>
              </>
            ) : (
              <bdi dir="ltr">{location.origin}</bdi>
            )}
          </dd>
        </div>
        <div>
          <dt>{say.email}</dt>
          <dd>
            <bdi dir="ltr">{account.email}</bdi>
          </dd>
        </div>
        <div>
          <dt>{say.password}</dt>
          <dd>
            <code dir="ltr">{password}</code>
          </dd>
        </div>
      </dl>
      <p>{say.slipNext}</p>
      <div class="actions unprinted">
        <button type="button" onClick={() => print()}>
          {say.print}
        </button>
        <button type="button" onClick={() => (given.value = undefined)}>
          {say.done}
        </button>
      </div>
    </section>
  )
}
