/** How long nobody may touch any tab of the console before it is locked, in milliseconds. */
const limitMs = 20 * 60_000
const lookEveryMs = 15_000
/** Every tab writes here when it was used. */
const kept = 'registrar.used'

const events = ['keydown', 'pointerdown', 'wheel', 'touchstart'] as const

/** Calls when no tab was used for so long, also after the machine slept. @returns what ends it */
export function watchIdle(onIdle: () => void): () => void {
  let noted = 0
  const note = () => {
    const now = Date.now()
    if (now - noted < lookEveryMs) return
    noted = now
    localStorage.setItem(kept, String(now))
  }
  const look = () => {
    if (Date.now() - Number(localStorage.getItem(kept)) >= limitMs) onIdle()
  }
  note()
  const timer = setInterval(look, lookEveryMs)
  document.addEventListener('visibilitychange', look)
  for (const name of events) addEventListener(name, note, { capture: true, passive: true })
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    for (const name of events) removeEventListener(name, note, { capture: true })
  }
}
