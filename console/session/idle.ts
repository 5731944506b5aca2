const page = document.querySelector<HTMLMetaElement>('meta[name="idle-minutes"]')

/** How long nobody may touch any tab of the console before it is locked, in milliseconds: the page tells it. */
const limitMs = Number(page?.content ?? 20) * 60_000
const lookEveryMs = 15_000
/** Every tab writes here when it was used. */
const kept = 'registrar.used'

const events = ['keydown', 'pointerdown', 'wheel', 'touchstart'] as const

/** Notes that the console is used now. */
export const noteUse = () => localStorage.setItem(kept, String(Date.now()))

export const forgetUse = () => localStorage.removeItem(kept)

/** Whether no tab was used for too long, also while the browser was closed or the machine slept. */
export function isOverdue(): boolean {
  const used = localStorage.getItem(kept)
  return used !== null && Date.now() - Number(used) >= limitMs
}

/** Calls when no tab was used for so long. @returns what ends it */
export function watchIdle(onIdle: () => void): () => void {
  let noted = 0
  const note = () => {
    if (Date.now() - noted < lookEveryMs || isOverdue()) return
    noted = Date.now()
    noteUse()
  }
  const look = () => {
    if (isOverdue()) onIdle()
  }
  noteUse()
  const timer = setInterval(look, lookEveryMs)
  document.addEventListener('visibilitychange', look)
  for (const name of events) addEventListener(name, note, { capture: true, passive: true })
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    for (const name of events) removeEventListener(name, note, { capture: true })
  }
}
